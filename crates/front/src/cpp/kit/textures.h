#pragma once
#include <tidegate/cuda>
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 12
#define cudaTextureType1DLayered 241
#define cudaTextureType2DLayered 242
#define cudaTextureTypeCubemapLayered 252
#define cudaSurfaceType1D 1
#define cudaSurfaceType2D 2
#define cudaSurfaceType3D 3
#define cudaSurfaceTypeCubemap 12
#define cudaSurfaceType1DLayered 241
#define cudaSurfaceType2DLayered 242
#define cudaSurfaceTypeCubemapLayered 252
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
typedef unsigned long long cudaTextureObject_t, CUtexObject;
#ifdef TIDEGATE_BUILT_IN
#define TIDEGATE_REFERENCE
#else
#define TIDEGATE_REFERENCE __attribute__((device_builtin_texture_type))
#endif
template <class T, int Dimensions = 1, int Mode = 0> struct TIDEGATE_REFERENCE texture {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  T texel[Mode + 1];
};
// The built-in compiler has the functions of textures: their results are data.
#ifndef TIDEGATE_BUILT_IN
template <class T, int Mode> struct tidegate_texel { typedef T type; };
#define TIDEGATE_TEXEL(name, scalar)                                             \
  template <> struct tidegate_texel<scalar, 1> { typedef float type; };          \
  template <> struct tidegate_texel<name##1, 1> { typedef float1 type; };        \
  template <> struct tidegate_texel<name##2, 1> { typedef float2 type; };        \
  template <> struct tidegate_texel<name##4, 1> { typedef float4 type; };
TIDEGATE_TEXEL(char, signed char)
TIDEGATE_TEXEL(uchar, unsigned char)
TIDEGATE_TEXEL(short, short)
TIDEGATE_TEXEL(ushort, unsigned short)
template <> struct tidegate_texel<char, 1> { typedef float type; };
template <class T> struct tidegate_four { typedef T type; };
template <> struct tidegate_four<float> { typedef float4 type; };
template <> struct tidegate_four<int> { typedef int4 type; };
template <> struct tidegate_four<unsigned> { typedef uint4 type; };
template <> struct tidegate_four<unsigned char> { typedef uchar4 type; };
template <class T> TIDEGATE_DATA T tidegate_fetch(int how, const void *of, double x, double y = 0, double z = 0, double w = 0);
TIDEGATE_DATA double tidegate_gradient(float, float, float = 0, float = 0, float = 0, float = 0);
#define TIDEGATE_LIST(...) __VA_ARGS__
#define TIDEGATE_TEXTURE(how, name, parameters, coordinates)                                                             \
  template <class T, int Dimensions, int Mode>                                                                           \
  __device__ typename tidegate_texel<T, Mode>::type name(const texture<T, Dimensions, Mode> &of, TIDEGATE_LIST parameters) { \
    return tidegate_fetch<typename tidegate_texel<T, Mode>::type>(how, &of, TIDEGATE_LIST coordinates);                  \
  }                                                                                                                      \
  template <class T> __device__ T name(cudaTextureObject_t of, TIDEGATE_LIST parameters) {                               \
    return tidegate_fetch<T>(how, (const void *)of, TIDEGATE_LIST coordinates);                                          \
  }                                                                                                                      \
  template <class T> __device__ void name(T *value, cudaTextureObject_t of, TIDEGATE_LIST parameters) {                  \
    *value = tidegate_fetch<T>(how, (const void *)of, TIDEGATE_LIST coordinates);                                        \
  }
TIDEGATE_TEXTURE(0, tex1Dfetch, (int x), (x))
TIDEGATE_TEXTURE(1, tex1D, (float x), (x))
TIDEGATE_TEXTURE(1, tex2D, (float x, float y), (x, y))
TIDEGATE_TEXTURE(1, tex3D, (float x, float y, float z), (x, y, z))
TIDEGATE_TEXTURE(1, texCubemap, (float x, float y, float z), (x, y, z))
TIDEGATE_TEXTURE(1, tex1DLayered, (float x, int layer), (x, layer))
TIDEGATE_TEXTURE(1, tex2DLayered, (float x, float y, int layer), (x, y, layer))
TIDEGATE_TEXTURE(1, texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
template <class T, int Dimensions, int Mode>
__device__ typename tidegate_four<typename tidegate_texel<T, Mode>::type>::type tex2Dgather(const texture<T, Dimensions, Mode> &of, float x, float y, int component = 0) {
  return tidegate_fetch<typename tidegate_four<typename tidegate_texel<T, Mode>::type>::type>(2, &of, x, y, component);
}
template <class T> __device__ T tex2Dgather(cudaTextureObject_t of, float x, float y, int component = 0) {
  return tidegate_fetch<T>(2, (const void *)of, x, y, component);
}
TIDEGATE_TEXTURE(3, tex1DLod, (float x, float level), (x, level))
TIDEGATE_TEXTURE(3, tex2DLod, (float x, float y, float level), (x, y, level))
TIDEGATE_TEXTURE(3, tex3DLod, (float x, float y, float z, float level), (x, y, z, level))
TIDEGATE_TEXTURE(3, texCubemapLod, (float x, float y, float z, float level), (x, y, z, level))
TIDEGATE_TEXTURE(3, tex1DLayeredLod, (float x, int layer, float level), (x, layer, level))
TIDEGATE_TEXTURE(3, tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level))
TIDEGATE_TEXTURE(4, tex1DGrad, (float x, float dx, float dy), (x, 0, 0, tidegate_gradient(dx, dy)))
TIDEGATE_TEXTURE(4, tex2DGrad, (float x, float y, float2 dx, float2 dy), (x, y, 0, tidegate_gradient(dx.x, dx.y, dy.x, dy.y)))
TIDEGATE_TEXTURE(4, tex3DGrad, (float x, float y, float z, float4 dx, float4 dy), (x, y, z, tidegate_gradient(dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)))
TIDEGATE_TEXTURE(4, tex2DLayeredGrad, (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, tidegate_gradient(dx.x, dx.y, dy.x, dy.y)))
#endif

// A surface is a memory, and the coordinates give the address. Coordinates that are too large for it may lead anywhere.
struct tidegate_surface;
typedef tidegate_surface *cudaSurfaceObject_t;
template <class T, int Dimensions = 1> struct surface { char pixels[0xffffffff]; };
__device__ inline char *tidegate_pixels(cudaSurfaceObject_t of) { return (char *)of; }
template <class Surface> __device__ char *tidegate_pixels(const Surface &of) { return (char *)of.pixels; }
TIDEGATE_DATA unsigned tidegate_anywhere(unsigned x, unsigned y, unsigned z);
__device__ inline size_t tidegate_flat(unsigned x, unsigned y) {
  return x < 1 << 16 && y < 1 << 16 ? x + (y << 16) : tidegate_anywhere(x, y, 0);
}
__device__ inline size_t tidegate_deep(unsigned x, unsigned y, unsigned z) {
  return x < 1 << 13 && y < 1 << 10 && z < 1 << 9 ? x + (y << 13) + (z << 23) : tidegate_anywhere(x, y, z);
}
// Coordinates that are clamped lead several threads to one pixel. This is not followed.
__device__ void surface_with_clamped_coordinates();
__device__ inline void tidegate_within(int mode) {
  if (mode == cudaBoundaryModeClamp) surface_with_clamped_coordinates();
}
#define TIDEGATE_SURFACE(name, at, ...)                                                                      \
  template <class T, class Surface>                                                                          \
  __device__ void name##write(T value, const Surface &of, __VA_ARGS__, int mode = cudaBoundaryModeTrap) {    \
    tidegate_within(mode);                                                                                   \
    *(T *)(tidegate_pixels(of) + (at)) = value;                                                              \
  }                                                                                                          \
  template <class T, class Surface>                                                                          \
  __device__ T name##read(const Surface &of, __VA_ARGS__, int mode = cudaBoundaryModeTrap) {                 \
    return *(T *)(tidegate_pixels(of) + (at));                                                               \
  }                                                                                                          \
  template <class T, class Surface>                                                                          \
  __device__ void name##read(T *value, const Surface &of, __VA_ARGS__, int mode = cudaBoundaryModeTrap) {    \
    *value = *(T *)(tidegate_pixels(of) + (at));                                                             \
  }
TIDEGATE_SURFACE(surf1D, tidegate_flat(x, 0), int x)
TIDEGATE_SURFACE(surf2D, tidegate_flat(x, y), int x, int y)
TIDEGATE_SURFACE(surf3D, tidegate_deep(x, y, z), int x, int y, int z)
TIDEGATE_SURFACE(surf1DLayered, tidegate_flat(x, layer), int x, int layer)
TIDEGATE_SURFACE(surf2DLayered, tidegate_deep(x, y, layer), int x, int y, int layer)
TIDEGATE_SURFACE(surfCubemap, tidegate_deep(x, y, face), int x, int y, int face)
TIDEGATE_SURFACE(surfCubemapLayered, tidegate_deep(x, y, layer), int x, int y, int layer)

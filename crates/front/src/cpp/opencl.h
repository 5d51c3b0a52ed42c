#define __OPENCL_VERSION__ 200
#define __OPENCL_C_VERSION__ 200
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define CL_VERSION_2_0 200
#define __clang__ 1
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define CLK_IMAGE_MEM_FENCE 4
#define memory_scope_work_item 0
#define memory_scope_work_group 1
#define memory_scope_device 2
#define memory_scope_all_svm_devices 3
#define memory_scope_all_devices 3
#define memory_scope_sub_group 4
#define memory_order_relaxed 0
#define memory_order_acquire 2
#define memory_order_release 3
#define memory_order_acq_rel 4
#define memory_order_seq_cst 5
#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define FLT_MAX 3.4e38f
#define FLT_MIN 1.2e-38f
#define FLT_EPSILON 1.2e-7f
#define MAXFLOAT 3.4e38f
#define HUGE_VALF 1e999f
#define DBL_MAX 1.8e308
#define INFINITY 1e999f
#define NAN 1e999f
#define M_PI 3.14159265358979323846
#define M_PI_F 3.14159274f
#define NULL nullptr
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned long event_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;
typedef unsigned long sampler_t;
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_FILTER_NEAREST 16
#define CLK_FILTER_LINEAR 32
#define I(name) typedef __attribute__((address_space(1000))) void *name;
I(image1d_t)
I(image1d_buffer_t)
I(image1d_array_t)
I(image2d_t)
I(image2d_array_t)
I(image2d_depth_t)
I(image3d_t)
#undef I
#define V(name, base, half, whole)            \
  struct __align__(half) name##2 { base x, y; }; \
  struct __align__(whole) name##3 { base x, y, z; }; \
  struct __align__(whole) name##4 { base x, y, z, w; }; \
  struct __align__(whole * 2) name##8 { base s0, s1, s2, s3, s4, s5, s6, s7; }; \
  struct __align__(whole * 4) name##16 { base s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf; };
V(char, char, 2, 4)
V(uchar, unsigned char, 2, 4)
V(short, short, 4, 8)
V(ushort, unsigned short, 4, 8)
V(int, int, 8, 16)
V(uint, unsigned, 8, 16)
V(long, long, 16, 32)
V(ulong, unsigned long, 16, 32)
V(float, float, 8, 16)
V(double, double, 16, 32)
V(half, half, 4, 8)
#undef V

title "Texels in shared memory"
note "What a texture holds is data. The barrier orders the tile."
launch ctas=1 threads=64
expect ok
texture<uchar4, 2, cudaReadModeNormalizedFloat> image;
texture<float, cudaTextureType1D> weights;
__global__ void blur(float *out, cudaTextureObject_t lookup, int row) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float4 texel = tex2D(image, t + 0.5f, row + 0.5f);
  tile[t] = texel.x * tex1Dfetch(weights, t) + tex2D<float>(lookup, t, row);
  __syncthreads();
  out[t] = tile[63 - t];
}

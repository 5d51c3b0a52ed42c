title "Loads to LDS that the compiler waits for"
note "A load without `async` in its name is complete at the fence of the barrier."
launch groups=1
target gfx942
__global__ void __launch_bounds__(256) sums(const int *in, int *out, int n) {
  __shared__ int tile[256];
  int t = threadIdx.x, sum = 0;
  int first = __builtin_amdgcn_readfirstlane(t / 64) * 64;
  for (int i = 0; i < n; ++i) {
    __builtin_amdgcn_global_load_lds((__attribute__((address_space(1))) void *)(in + i * 256 + t),
                                     (__attribute__((address_space(3))) void *)&tile[first], 4, 0, 0);
    __syncthreads();
    sum += tile[255 - t];
    __syncthreads();
  }
  out[t] = sum;
}
expect ok

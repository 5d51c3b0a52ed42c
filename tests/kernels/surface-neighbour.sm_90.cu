title "Threads read pixels of a surface that others write"
note "The coordinates of a surface are its addresses, so the barrier orders each pixel."
launch ctas=1 threads=64
expect ok
__global__ void mirror(cudaSurfaceObject_t image, float *out, int row) {
  int t = threadIdx.x;
  surf2Dwrite(1.0f + t, image, t * 4, 3);
  __syncthreads();
  out[t] = surf2Dread<float>(image, (63 - t) * 4, 3);
}

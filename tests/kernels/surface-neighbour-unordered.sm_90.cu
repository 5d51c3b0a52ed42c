title "Threads read pixels of a surface without a barrier"
note "Each warp reads the pixels of the other one."
launch ctas=1 threads=64
expect race
__global__ void mirror(cudaSurfaceObject_t image, float *out, int row) {
  int t = threadIdx.x;
  surf2Dwrite(1.0f + t, image, t * 4, 3);
  out[t] = surf2Dread<float>(image, (63 - t) * 4, 3);
}

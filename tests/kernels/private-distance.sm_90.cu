title "The distance of a pointer from an array of the thread"
note "The pointer is one element into the array, so no thread writes `out[0]`."
launch ctas=1 threads=64
expect ok
__global__ void k(int *out) {
  int own[2] = {7, 8};
  int *p = own;
  p++;
  if (p - own != 1) out[0] = threadIdx.x;
  out[threadIdx.x] = *p;
}

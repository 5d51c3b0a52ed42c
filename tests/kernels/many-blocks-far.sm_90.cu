title "Blocks that conflict with blocks far away"
note "Blocks whose numbers differ by 4,096 write to the same elements. Only pairs among the first blocks are searched, and these write to elements of their own."
expect unknown
__global__ void wrapped(int *out) {
  out[(blockIdx.x & 4095) * 64 + threadIdx.x] = blockIdx.x;
}
int main() {
  int *out;
  cudaMalloc(&out, 4096 * 64 * 4);
  wrapped<<<8192, 64>>>(out);
}

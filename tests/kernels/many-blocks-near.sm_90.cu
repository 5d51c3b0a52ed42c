title "Blocks that conflict with blocks near"
note "Blocks whose numbers differ by 256 write to the same elements."
expect race
__global__ void wrapped(int *out) {
  out[(blockIdx.x & 255) * 64 + threadIdx.x] = blockIdx.x;
}
int main() {
  int *out;
  cudaMalloc(&out, 4096 * 64 * 4);
  wrapped<<<8192, 64>>>(out);
}

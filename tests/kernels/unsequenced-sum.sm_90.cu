title "A sum whose operands have no order"
note "C++ gives no order to the two operands of `+`, of which one changes `i`."
launch ctas=1 threads=64
expect unknown
__global__ void k(int *out) {
  int i = threadIdx.x;
  out[i + i++] = 1;
}

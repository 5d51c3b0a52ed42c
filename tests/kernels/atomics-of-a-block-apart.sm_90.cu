title "Each CTA counts in an element of its own"
note "The scope of a CTA includes all threads that count in the element, and so does that of the device."
launch ctas=2 threads=64
expect ok
__global__ void count(unsigned *totals) {
  if (threadIdx.x < 32) atomicAdd_block(&totals[blockIdx.x], 1u);
  else atomicAdd(&totals[blockIdx.x], 2u);
}

title "Two CTAs count in one element with the scope of a CTA"
note "An atomic operation with the scope of its CTA races with operations of other CTAs on the same bytes."
launch ctas=2 threads=64
expect race
__global__ void count(unsigned *total) {
  atomicAdd_block(total, 1u);
}

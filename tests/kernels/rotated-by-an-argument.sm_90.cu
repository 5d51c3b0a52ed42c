title "An argument rotates the elements that threads read"
note "With `by` = 1, thread 0 reads the element that thread 1 stores, and nothing orders the two. With 0 each thread reads its own element."
launch ctas=1
__global__ void __launch_bounds__(64) rotate(unsigned *all, unsigned *to, unsigned by) {
    all[threadIdx.x] = threadIdx.x;
    to[threadIdx.x] = all[(threadIdx.x + by) % 64];
}
expect unknown

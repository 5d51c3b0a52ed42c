title "An argument moves stores of a warp to elements that other threads read"
note "With `shift` = 1, thread 0 stores to the element that thread 1 reads, and nothing orders the two. With 0 no two threads access the same element."
launch ctas=1
__global__ void __launch_bounds__(32) moved(int *from, int *to, int shift) {
    from[threadIdx.x + shift] = threadIdx.x;
    to[threadIdx.x] = from[threadIdx.x];
}
expect unknown

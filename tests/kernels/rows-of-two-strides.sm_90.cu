title "Rows of two different strides in one array"
note "Elements of rows that are `wide` apart are also elements of rows that are `narrow` apart: with 3 and 1, thread 1 and thread 2 store to element 4."
launch ctas=1
__global__ void __launch_bounds__(64) rows(int *all, int wide, int narrow) {
    all[threadIdx.x * wide + threadIdx.x] = 1;
    all[threadIdx.x * narrow + threadIdx.x] = 2;
}
expect unknown

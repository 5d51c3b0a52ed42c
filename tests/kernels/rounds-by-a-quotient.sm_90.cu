title "Two buffers, as many rounds as there are tiles of 64 columns"
note "The number of rounds is a quotient of an argument. The remainder decides nothing."
launch ctas=1
__global__ void __launch_bounds__(64) tiles(int *rows, int columns) {
    __shared__ int tile[2][64];
    int sum = 0;
    for (int i = 0; i < columns / 64; ++i) {
        tile[i % 2][threadIdx.x] = rows[i * 64 + threadIdx.x];
        __syncthreads();
        sum += tile[i % 2][63 - threadIdx.x];
    }
    rows[threadIdx.x] = sum;
}
expect ok

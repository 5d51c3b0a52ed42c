title "A barrier that one remainder of an argument leaves out"
note "With 64 * i + 63 columns, nothing orders the rounds from the 41st on."
launch ctas=1
__global__ void __launch_bounds__(64) tiles(int *rows, int columns) {
    __shared__ int tile[2][64];
    int sum = 0;
    for (int i = 0; i < columns / 64; ++i) {
        tile[i % 2][threadIdx.x] = rows[i * 64 + threadIdx.x];
        if (columns % 64 != 63 || i < 40) __syncthreads();
        sum += tile[i % 2][63 - threadIdx.x];
    }
    rows[threadIdx.x] = sum;
}
expect unknown

title "Rows, one for each thread"
note "The length of a row is an argument. A thread stays in its row, so no two threads write the same element."
expect ok
launch ctas=2 threads=128
extern "C" __global__ void rows(float *out, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    for (int at = 0; at < width; ++at) out[row * width + at] = at;
}

title "Rows of which each thread writes one element more"
note "The last element that a thread writes is the first of the next row."
expect unknown
launch ctas=2 threads=128
extern "C" __global__ void rows(float *out, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    for (int at = 0; at <= width; ++at) out[row * width + at] = at;
}

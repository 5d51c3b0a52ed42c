title "A column of planes for each thread"
note "Comparisons keep each thread within its row and its plane, whatever the sizes are."
expect ok
launch ctas=2x2 threads=16x16
extern "C" __global__ void planes(float *out, int width, int height, int depth) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (int z = 0; z < depth; ++z) out[(z * height + y) * width + x] = z;
}

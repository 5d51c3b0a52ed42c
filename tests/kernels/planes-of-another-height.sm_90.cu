title "Planes whose height is taken for their width"
note "Rows of different planes overlap if there are more rows than columns."
expect unknown
launch ctas=2x2 threads=16x16
extern "C" __global__ void planes(float *out, int width, int height, int depth) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    for (int z = 0; z < depth; ++z) out[(z * width + y) * width + x] = z;
}

title "Two CTAs write different rows of a surface"
note "A surface reference is a memory of its own."
launch ctas=2 threads=32
expect ok
surface<void, 2> image;
__global__ void rows() {
  surf2Dwrite(make_float4(0, 0, 0, 1), image, threadIdx.x * sizeof(float4), blockIdx.x);
}

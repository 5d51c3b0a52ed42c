title "Two CTAs write the same row of a surface"
note "Nothing orders the CTAs."
launch ctas=2 threads=32
expect race
surface<void, 2> image;
__global__ void rows() {
  surf2Dwrite(make_float4(0, 0, 0, blockIdx.x), image, threadIdx.x * sizeof(float4), 0);
}

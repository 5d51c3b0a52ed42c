// Groups stride over an array.
// groups 4, threads 64, arguments n=1000
KERNEL grid_stride(GLOBAL const float *in, GLOBAL float *out, int n) {
  for (int i = BX * DX + TX; i < n; i += DX * GX) out[i] = in[i] * 2.0f;
}

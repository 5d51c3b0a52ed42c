// Two sums at a time.
// groups 1, threads 128, arguments width=300
KERNEL layernorm(GLOBAL const float *in, GLOBAL float *out, int width) {
  SHARED float sum[128];
  SHARED float sq[128];
  int t = TX;
  float a = 0.0f, b = 0.0f;
  for (int i = t; i < width; i += 128) {
    float v = in[BX * width + i];
    a += v;
    b += v * v;
  }
  sum[t] = a;
  sq[t] = b;
  SYNC; // needed
  for (int d = 64; d >= 1; d >>= 1) {
    if (t < d) { sum[t] += sum[t + d]; sq[t] += sq[t + d]; }
    SYNC; // needed
  }
  float mean = sum[0] / width;
  for (int i = t; i < width; i += 128) out[BX * width + i] = in[BX * width + i] - mean - sq[0];
}

// A convolution with weights in shared memory.
// groups 1, threads 128, arguments taps=64
KERNEL convolution(GLOBAL const float *in, GLOBAL const float *w, GLOBAL float *out, int taps) {
  SHARED float s[192];
  SHARED float c[64];
  int t = TX;
  s[t] = in[BX * 128 + t];
  if (t < 64) { s[128 + t] = in[BX * 128 + 128 + t]; c[t] = w[t]; }
  SYNC; // needed
  float v = 0.0f;
  for (int j = 0; j < 64; j++) v += s[t + j] * c[j];
  out[BX * 128 + t] = v;
}

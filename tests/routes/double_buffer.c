// Tiles in two buffers.
// groups 1, threads 64, arguments n=5
KERNEL double_buffer(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[2][64];
  int t = TX;
  float acc = 0.0f;
  s[0][t] = in[t];
  SYNC; // needed
  for (int i = 0; i < n; ++i) {
    if (i + 1 < n) s[(i + 1) & 1][t] = in[(i + 1) * 64 + t];
    acc += s[i & 1][63 - t];
    SYNC; // needed
  }
  out[t] = acc;
}

// Three buffers in turn.
// groups 1, threads 64, arguments n=6
KERNEL rotate_three(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[3][64];
  int t = TX;
  float v = 0.0f;
  s[0][t] = in[t];
  s[1][t] = in[64 + t];
  for (int i = 0; i < n; ++i) {
    SYNC; // needed
    v += s[i % 3][63 - t];
    s[(i + 2) % 3][t] = in[(i + 2) * 64 + t];
  }
  out[t] = v;
}

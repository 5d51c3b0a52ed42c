// A ring of four buffers.
// groups 1, threads 64, arguments n=6
KERNEL ring_four(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[4 * 64];
  int t = TX;
  float v = 0.0f;
  for (int i = 0; i < 3; ++i) s[i * 64 + t] = in[i * 64 + t];
  for (int i = 0; i < n; ++i) {
    SYNC; // needed
    v += s[(i & 3) * 64 + (63 - t)];
    s[((i + 3) & 3) * 64 + t] = in[(i + 3) * 64 + t];
  }
  out[t] = v;
}

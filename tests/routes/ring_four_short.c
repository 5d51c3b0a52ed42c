// A ring of four buffers that is filled one round too early.
// groups 1, threads 64, arguments n=6, verdict race
KERNEL ring_four_short(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[4 * 64];
  int t = TX;
  float v = 0.0f;
  for (int i = 0; i < 4; ++i) s[i * 64 + t] = in[i * 64 + t];
  for (int i = 0; i < n; ++i) {
    SYNC;
    v += s[(i & 3) * 64 + (63 - t)];
    s[((i + 4) & 3) * 64 + t] = in[(i + 4) * 64 + t];
  }
  out[t] = v;
}

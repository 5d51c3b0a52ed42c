// A tile is overwritten while others read it.
// groups 1, threads 64, arguments n=3, verdict race
KERNEL two_tiles_one_barrier(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[64];
  int t = TX;
  float acc = 0.0f;
  for (int i = 0; i < n; ++i) {
    s[t] = in[i * 64 + t];
    SYNC;
    acc += s[63 - t];
  }
  out[t] = acc;
}

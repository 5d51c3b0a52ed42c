// An argument skips a round.
// groups 1, threads 64
KERNEL continue_uniform(GLOBAL const int *in, GLOBAL int *out, int n) {
  SHARED int s[64];
  int t = TX;
  int v = 0;
  for (int i = 0; i < 8; ++i) {
    if (i == n) continue;
    s[t] = in[i * 64 + t];
    SYNC; // needed
    v += s[63 - t];
    SYNC; // needed
  }
  out[t] = v;
}

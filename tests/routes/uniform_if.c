// An argument decides between two barriers.
// groups 1, threads 64
KERNEL uniform_if(GLOBAL const int *in, GLOBAL int *out, int mode) {
  SHARED int s[64];
  int t = TX;
  s[t] = in[t];
  if (mode == 1) {
    SYNC; // needed
    out[t] = s[t ^ 1];
  } else {
    SYNC; // needed
    out[t] = s[63 - t];
  }
}

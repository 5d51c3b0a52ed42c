// An exchange with a distance that doubles.
// groups 1, threads 64
KERNEL log_rounds(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64];
  int t = TX;
  s[t] = in[t];
  for (int m = 1; m < 64; m *= 2) {
    SYNC; // needed
    int v = s[t ^ m];
    SYNC; // needed
    s[t] += v;
  }
  out[t] = s[t];
}

// A sort of neighbours.
// groups 1, threads 64
KERNEL odd_even(GLOBAL int *x) {
  SHARED int s[128];
  int t = TX;
  s[t] = x[t];
  s[t + 64] = x[t + 64];
  SYNC; // needed
  for (int r = 0; r < 128; ++r) {
    int at = 2 * t + (r & 1);
    if (at + 1 < 128 && s[at] > s[at + 1]) {
      int v = s[at];
      s[at] = s[at + 1];
      s[at + 1] = v;
    }
    SYNC; // needed
  }
  x[t] = s[t];
  x[t + 64] = s[t + 64];
}

// All threads return, or none.
// groups 1, threads 64
KERNEL early_return(GLOBAL const int *in, GLOBAL int *out, int n) {
  SHARED int s[64];
  int t = TX;
  if (n <= 0) return;
  s[t] = in[t];
  SYNC; // needed
  out[t] = s[63 - t];
}

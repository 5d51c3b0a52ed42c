// A tile is read backwards.
// groups 1, threads 128
KERNEL reverse(GLOBAL float *x) {
  SHARED float s[128];
  int t = TX;
  s[t] = x[t];
  SYNC; // needed
  x[t] = s[127 - t];
}

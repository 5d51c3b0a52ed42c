// A bitonic sort.
// groups 1, threads 128
KERNEL bitonic(GLOBAL int *x) {
  SHARED int s[128];
  int t = TX;
  s[t] = x[t];
  SYNC; // needed among items
  for (int k = 2; k <= 128; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      int o = t ^ j;
      if (o > t) {
        int a = s[t];
        int b = s[o];
        if ((a > b) == ((t & k) == 0)) { s[t] = b; s[o] = a; }
      }
      SYNC; // needed
    }
  }
  x[t] = s[t];
}

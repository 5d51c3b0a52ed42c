// A scan up and down a tree.
// groups 1, threads 64
KERNEL scan_blelloch(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[128];
  int t = TX;
  int step = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (int d = 64; d > 0; d >>= 1) {
    SYNC; // needed
    if (t < d) {
      int a = step * (2 * t + 1) - 1;
      int b = step * (2 * t + 2) - 1;
      s[b] += s[a];
    }
    step *= 2;
  }
  if (t == 0) s[127] = 0;
  for (int d = 1; d < 128; d *= 2) {
    step >>= 1;
    SYNC; // needed
    if (t < d) {
      int a = step * (2 * t + 1) - 1;
      int b = step * (2 * t + 2) - 1;
      int v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  SYNC;
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}

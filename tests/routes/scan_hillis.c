// A scan with two buffers.
// groups 1, threads 128
KERNEL scan_hillis(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[2][128];
  int t = TX;
  int a = 0;
  s[0][t] = in[t];
  SYNC; // needed
  for (int d = 1; d < 128; d <<= 1) {
    s[1 - a][t] = t >= d ? s[a][t] + s[a][t - d] : s[a][t];
    a = 1 - a;
    SYNC; // needed
  }
  out[t] = s[a][t];
}

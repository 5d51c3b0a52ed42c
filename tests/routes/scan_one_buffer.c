// A scan in one buffer.
// groups 1, threads 128
KERNEL scan_one_buffer(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[128];
  int t = TX;
  s[t] = in[t];
  SYNC; // needed
  for (int d = 1; d < 128; d *= 2) {
    int v = 0;
    if (t >= d) v = s[t - d];
    SYNC; // needed
    s[t] += v;
    SYNC; // needed
  }
  out[t] = s[t];
}

// Threads take one of two ways.
// groups 1, threads 128
KERNEL warps_disjoint(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[128];
  int t = TX;
  if (t < 64) s[t] = in[t];
  else s[t] = in[t] * 2;
  SYNC; // needed
  if (t >= 64) out[t - 64] = s[t - 64] + s[t];
}

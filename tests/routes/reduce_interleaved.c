// A sum of neighbours.
// groups 1, threads 128
KERNEL reduce_interleaved(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[128];
  int t = TX;
  s[t] = in[BX * 128 + t];
  SYNC; // needed among items
  for (int d = 1; d < 128; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    SYNC; // needed
  }
  if (t == 0) out[BX] = s[0];
}

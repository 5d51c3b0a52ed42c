// Rows are stored, and columns loaded.
// groups 1, threads 64
KERNEL columns(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64 * 8];
  int t = TX;
  for (int j = 0; j < 8; ++j) s[j * 64 + t] = in[j * 64 + t];
  SYNC; // needed
  int v = 0;
  for (int j = 0; j < 8; ++j) v += s[t * 8 + j];
  out[t] = v;
}

// Each thread has its own bins.
// groups 1, threads 64
KERNEL histogram_owned(GLOBAL const unsigned char *in, GLOBAL int *out) {
  SHARED int bins[64][16];
  int t = TX;
  for (int b = 0; b < 16; ++b) bins[t][b] = 0;
  for (int i = 0; i < 32; ++i) bins[t][in[i * 64 + t] & 15] += 1;
  SYNC; // needed
  if (t < 16) {
    int v = 0;
    for (int r = 0; r < 64; ++r) v += bins[r][t];
    out[t] = v;
  }
}

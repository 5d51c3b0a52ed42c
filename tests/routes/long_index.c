// An index of 64 bits.
// groups 1, threads 64, arguments base=64
KERNEL long_index(GLOBAL const double *in, GLOBAL double *out, long base) {
  SHARED double s[64];
  long t = TX;
  s[t] = in[base + t];
  SYNC; // needed
  out[base + t] = s[63 - t];
}

// An argument selects the source.
// groups 1, threads 64
KERNEL ternary_sources(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out, int which) {
  SHARED float s[64];
  int t = TX;
  GLOBAL const float *from = which ? a : b;
  s[t] = from[t];
  SYNC; // needed
  out[t] = s[t ^ 63];
}

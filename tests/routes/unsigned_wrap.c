// An index that wraps around.
// groups 1, threads 64
KERNEL unsigned_wrap(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64];
  unsigned t = TX;
  s[t] = in[t];
  SYNC; // needed
  out[t] = s[(t - 1u) % 64u];
}

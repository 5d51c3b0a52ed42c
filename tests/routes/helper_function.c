// Functions access the tile.
// groups 1, threads 64
DEVICE int pick(SHAREDPTR int *s, int t) { return s[63 - t]; }
DEVICE void put(SHAREDPTR int *s, int t, int v) { s[t] = v; }
KERNEL helper_function(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64];
  int t = TX;
  put(s, t, in[t]);
  SYNC; // needed
  out[t] = pick(s, t);
}

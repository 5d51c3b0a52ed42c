// One thread loads the whole tile.
// groups 1, threads 64
KERNEL leader_loads(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64];
  int t = TX;
  if (t == 0) for (int i = 0; i < 64; ++i) s[i] = in[i];
  SYNC; // needed
  out[t] = s[t];
}

// Groups with their own tiles.
// groups 3, threads 64
KERNEL groups_apart(GLOBAL const float *in, GLOBAL float *out) {
  SHARED float s[64];
  int t = TX;
  s[t] = in[BX * 64 + t];
  SYNC; // needed
  out[BX * 64 + t] = s[63 - t];
}

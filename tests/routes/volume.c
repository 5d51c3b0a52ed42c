// A tile in three dimensions.
// groups 1, threads 8x4x4
KERNEL volume(GLOBAL const float *in, GLOBAL float *out) {
  SHARED float s[4][4][8];
  s[TZ][TY][TX] = in[(TZ * 4 + TY) * 8 + TX];
  SYNC; // needed
  out[(TZ * 4 + TY) * 8 + TX] = s[3 - TZ][3 - TY][7 - TX];
}

// A transposed tile.
// groups 1, threads 16x16, arguments w=64
KERNEL transpose(GLOBAL const float *in, GLOBAL float *out, int w) {
  SHARED float tile[16][17];
  int x = BX * 16 + TX;
  int y = BY * 16 + TY;
  tile[TY][TX] = in[y * w + x];
  SYNC; // needed
  x = BY * 16 + TX;
  y = BX * 16 + TY;
  out[y * w + x] = tile[TX][TY];
}

// A transposed tile, of which each thread moves several rows.
// groups 1, threads 32x8
KERNEL transpose_rows(GLOBAL const float *in, GLOBAL float *out) {
  SHARED float tile[32][33];
  int x = TX;
  for (int j = 0; j < 32; j += 8)
    tile[TY + j][x] = in[(TY + j) * 32 + x];
  SYNC; // needed
  for (int j = 0; j < 32; j += 8)
    out[(TY + j) * 32 + x] = tile[x][TY + j];
}

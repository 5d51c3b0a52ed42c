// Tiles in two loops.
// groups 1, threads 64, arguments rows=3 cols=4
KERNEL nested_tiles(GLOBAL const float *in, GLOBAL float *out, int rows, int cols) {
  SHARED float s[64];
  int t = TX;
  for (int r = 0; r < rows; ++r) {
    float acc = 0.0f;
    for (int c = 0; c < cols; ++c) {
      SYNC; // needed
      s[t] = in[(r * cols + c) * 64 + t];
      SYNC; // needed
      acc += s[63 - t];
    }
    out[r * 64 + t] = acc;
  }
}

// A product of matrices by tiles.
// groups 1, threads 16x16, arguments n=64
KERNEL matmul(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n) {
  SHARED float sa[16][16];
  SHARED float sb[16][16];
  int row = BY * 16 + TY;
  int col = BX * 16 + TX;
  float acc = 0.0f;
  for (int m = 0; m < n / 16; ++m) {
    sa[TY][TX] = a[row * n + m * 16 + TX];
    sb[TY][TX] = b[(m * 16 + TY) * n + col];
    SYNC; // needed
    for (int j = 0; j < 16; ++j) acc += sa[TY][j] * sb[j][TX];
    SYNC; // needed
  }
  c[row * n + col] = acc;
}

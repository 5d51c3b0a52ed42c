// A product of matrices of any size.
// groups 1, threads 16x16, arguments m=40 n=40 p=48
KERNEL matmul_any(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int m, int n, int p) {
  SHARED float sa[16][16];
  SHARED float sb[16][16];
  int row = BY * 16 + TY;
  int col = BX * 16 + TX;
  float acc = 0.0f;
  for (int at = 0; at < p; at += 16) {
    sa[TY][TX] = row < m && at + TX < p ? a[row * p + at + TX] : 0.0f;
    sb[TY][TX] = col < n && at + TY < p ? b[(at + TY) * n + col] : 0.0f;
    SYNC; // needed
    for (int j = 0; j < 16; ++j) acc += sa[TY][j] * sb[j][TX];
    SYNC; // needed
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

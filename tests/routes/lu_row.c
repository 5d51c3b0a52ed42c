// A pivot for each round.
// groups 1, threads 64, arguments n=5
KERNEL lu_row(GLOBAL float *m, int n) {
  SHARED float pivot;
  int t = TX;
  for (int p = 0; p < n; ++p) {
    if (t == 0) pivot = m[p * 65];
    GSYNC; // needed
    m[p * 64 + t] = m[p * 64 + t] / pivot;
    GSYNC; // needed
  }
}

// One thread loads what all use.
// groups 1, threads 64, arguments n=3
KERNEL broadcast(GLOBAL const int *in, GLOBAL int *out, int n) {
  SHARED int first;
  int t = TX;
  for (int i = 0; i < n; ++i) {
    if (t == 0) first = in[i];
    SYNC; // needed
    out[i * 64 + t] = first + t;
    SYNC; // needed
  }
}

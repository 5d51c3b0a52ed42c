// Elements of global memory move by one.
// groups 1, threads 64
KERNEL in_place_neighbour(GLOBAL int *x) {
  int t = TX;
  int v = x[(t + 1) & 63];
  GSYNC; // needed
  x[t] = v;
}

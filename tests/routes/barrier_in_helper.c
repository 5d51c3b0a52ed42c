// A function contains the barrier.
// groups 1, threads 64
DEVICE void meet(void) {
  SYNC; // needed
}
KERNEL barrier_in_helper(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64];
  int t = TX;
  s[t] = in[t];
  meet();
  out[t] = s[63 - t];
}

// Data select the element.
// groups 1, threads 64
KERNEL index_from_data(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[64];
  int t = TX;
  s[t] = in[t];
  SYNC; // needed
  out[t] = s[in[t] & 63];
}

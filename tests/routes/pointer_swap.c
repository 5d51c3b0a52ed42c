// Two buffers whose pointers are swapped.
// groups 1, threads 64, arguments n=3
KERNEL pointer_swap(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float a[64];
  SHARED float b[64];
  SHAREDPTR float *from = a;
  SHAREDPTR float *to = b;
  int t = TX;
  a[t] = in[t];
  SYNC; // needed
  for (int i = 0; i < n; ++i) {
    to[t] = from[(t + 1) & 63] + from[(t + 63) & 63];
    SYNC; // needed
    SHAREDPTR float *v = from;
    from = to;
    to = v;
  }
  out[t] = from[t];
}

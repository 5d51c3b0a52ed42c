// A sum by halves, with a length.
// groups 1, threads 256
KERNEL reduce_shared(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[256];
  int t = TX;
  int i = BX * DX + t;
  s[t] = i < n ? in[i] : 0.0f;
  SYNC; // needed
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    SYNC; // needed
  }
  if (t == 0) out[BX] = s[0];
}

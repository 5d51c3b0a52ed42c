// A sum of two loads for each thread.
// groups 1, threads 128
KERNEL reduce_two_loads(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[128];
  int t = TX;
  int i = BX * 256 + t;
  float v = i < n ? in[i] : 0.0f;
  if (i + 128 < n) v += in[i + 128];
  s[t] = v;
  SYNC; // needed
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) { v += s[t + d]; s[t] = v; }
    SYNC; // needed among waves of 32
  }
  if (t == 0) out[BX] = v;
}

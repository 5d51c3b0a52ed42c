// Whole tiles, then the rest.
// groups 1, threads 64, arguments n=200
KERNEL tail_loop(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[64];
  int t = TX;
  float acc = 0.0f;
  int full = n / 64;
  for (int i = 0; i < full; ++i) {
    s[t] = in[i * 64 + t];
    SYNC; // needed
    acc += s[63 - t];
    SYNC; // needed
  }
  int rest = n % 64;
  if (rest > 0) {
    s[t] = t < rest ? in[full * 64 + t] : 0.0f;
    SYNC; // needed
    acc += s[63 - t];
  }
  out[t] = acc;
}

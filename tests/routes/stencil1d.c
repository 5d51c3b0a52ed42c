// A stencil with edges of three.
// groups 1, threads 128
KERNEL stencil1d(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[134];
  int t = TX;
  int g = BX * 128 + t;
  s[t + 3] = in[g];
  if (t < 3) {
    s[t] = g >= 3 ? in[g - 3] : 0.0f;
    s[t + 131] = g + 128 < n ? in[g + 128] : 0.0f;
  }
  SYNC; // needed
  float v = 0.0f;
  for (int o = -3; o <= 3; ++o) v += s[t + 3 + o];
  out[g] = v;
}

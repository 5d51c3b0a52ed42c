// Rounds of a stencil in shared memory.
// groups 1, threads 64, arguments rounds=3
KERNEL jacobi(GLOBAL float *u, int rounds) {
  SHARED float s[66];
  int t = TX;
  s[t + 1] = u[t];
  if (t == 0) { s[0] = 0.0f; s[65] = 0.0f; }
  SYNC; // needed
  for (int r = 0; r < rounds; ++r) {
    float v = 0.5f * (s[t] + s[t + 2]);
    SYNC; // needed
    s[t + 1] = v;
    SYNC; // needed
  }
  u[t] = s[t + 1];
}

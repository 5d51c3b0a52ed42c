// A sum by halves in a while loop.
// groups 1, threads 128
KERNEL while_steps(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[128];
  int t = TX;
  int d = 64;
  s[t] = in[t];
  SYNC; // needed
  while (d != 0) {
    if (t < d) s[t] += s[t + d];
    SYNC; // needed among waves of 32
    d >>= 1;
  }
  if (t == 0) *out = s[0];
}

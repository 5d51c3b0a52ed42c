// An argument selects a case.
// groups 1, threads 64
KERNEL switch_mode(GLOBAL const int *in, GLOBAL int *out, int mode) {
  SHARED int s[64];
  int t = TX;
  s[t] = in[t];
  SYNC; // needed
  switch (mode) {
  case 0: out[t] = s[t]; break;
  case 1: out[t] = s[63 - t]; break;
  default: out[t] = s[t ^ 3]; break;
  }
}

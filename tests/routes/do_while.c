// A loop that tests at its end.
// groups 1, threads 64, arguments n=3
KERNEL do_while(GLOBAL const int *in, GLOBAL int *out, int n) {
  SHARED int s[64];
  int t = TX;
  int i = 0, sum = 0;
  do {
    s[t] = in[i * 64 + t];
    SYNC; // needed
    sum += s[(t + 1) % 64];
    SYNC; // needed
  } while (++i < n);
  out[t] = sum;
}

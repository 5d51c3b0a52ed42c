// A tile of bytes.
// groups 1, threads 128
KERNEL bytes(GLOBAL const unsigned char *in, GLOBAL unsigned char *out) {
  SHARED unsigned char s[128];
  int t = TX;
  s[t] = in[t];
  SYNC; // needed
  out[t] = s[(t * 5) % 128];
}

// Halves of words.
// groups 1, threads 64
KERNEL shorts_words(GLOBAL const short *in, GLOBAL int *out) {
  SHARED short s[128];
  int t = TX;
  s[t] = in[t];
  s[t + 64] = in[t + 64];
  SYNC; // needed
  out[t] = s[2 * t] + s[2 * t + 1];
}

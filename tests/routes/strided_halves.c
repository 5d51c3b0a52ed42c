// A stride of the size of the group.
// groups 1, threads 128
KERNEL strided_halves(GLOBAL const int *in, GLOBAL int *out) {
  SHARED int s[256];
  int t = TX;
  for (int i = t; i < 256; i += DX) s[i] = in[i];
  SYNC; // needed
  for (int i = t; i < 128; i += DX) out[i] = s[2 * i] + s[2 * i + 1];
}

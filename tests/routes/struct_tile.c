// A tile of structures.
// groups 1, threads 64
struct Pair { int key; float value; };
KERNEL struct_tile(GLOBAL const int *in, GLOBAL float *out) {
  SHARED struct Pair s[64];
  int t = TX;
  s[t].key = in[t];
  s[t].value = (float)t;
  SYNC; // needed
  struct Pair p = s[(t + 7) & 63];
  out[t] = p.value + (float)p.key;
}

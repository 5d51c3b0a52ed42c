// A tile of vectors.
// groups 1, threads 64
KERNEL vector_fill(GLOBAL const float4 *in, GLOBAL float *out) {
  SHARED float4 s[64];
  int t = TX;
  s[t] = in[t];
  SYNC; // needed
  out[t] = s[63 - t].x + s[63 - t].w;
}

// A stencil in two dimensions.
// groups 1, threads 16x16, arguments w=64
KERNEL stencil2d(GLOBAL const float *in, GLOBAL float *out, int w) {
  SHARED float s[18 * 18];
  int at = (TY + 1) * 18 + TX + 1;
  int g = (BY * 16 + TY) * w + BX * 16 + TX;
  s[at] = in[g];
  if (TX == 0) s[at - 1] = in[g - 1];
  if (TX == 15) s[at + 1] = in[g + 1];
  if (TY == 0) s[at - 18] = in[g - w];
  if (TY == 15) s[at + 18] = in[g + w];
  SYNC; // needed
  out[g] = s[at - 1] + s[at + 1] + s[at - 18] + s[at + 18] - 4.0f * s[at];
}

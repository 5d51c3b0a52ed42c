// Groups that overlap by one element.
// groups 2, threads 64, verdict race
KERNEL overlap_groups(GLOBAL float *x) {
  int i = BX * 63 + TX;
  x[i] = 1.0f * TX;
}

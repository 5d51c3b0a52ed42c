launch groups=2 items=64
expect ok
void halve(local float t[], int l, int half) {
  if (l < half) t[l] += t[l + half];
}
kernel void k(global float *out, local float t[]) {
  int l = get_local_id(0);
  t[l] = out[l + 1000];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half = 32; half > 0; half /= 2) {
    halve(t, l, half);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}

launch groups=1 items=16
expect race
kernel void k(global float *in, global float *out, int n) {
  local float t[2][16];
  int l = get_local_id(0);
  event_t e = async_work_group_copy(t[0], in, 16, 0);
  for (int i = 0; i < n; i++) {
    wait_group_events(1, &e);
    if (i + 1 < n) e = async_work_group_copy(t[(i + 1) & 1], in + 16 * (i + 1), 16, 0);
    out[l + 16 * i] = t[i & 1][15 - l];
  }
}

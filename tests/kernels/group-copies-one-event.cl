launch groups=2 items=64
expect ok
kernel void k(global float *a, global float *b) {
  local float x[64], y[64];
  int g = get_global_id(0), l = get_local_id(0);
  event_t both = async_work_group_copy(x, a + 64 * get_group_id(0), 64, 0);
  async_work_group_copy(y, b + 64 * get_group_id(0), 64, both);
  wait_group_events(1, &both);
  a[g] = 2 * x[l];
  b[g] = 2 * y[l];
}

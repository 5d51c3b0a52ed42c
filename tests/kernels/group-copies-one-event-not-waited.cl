launch groups=2 items=64
expect race
kernel void k(global float *a, global float *b) {
  local float x[64], y[64];
  int g = get_global_id(0), l = get_local_id(0);
  event_t first = async_work_group_copy(x, a + 64 * get_group_id(0), 64, 0);
  event_t second = async_work_group_copy(y, b + 64 * get_group_id(0), 64, 0);
  wait_group_events(1, &first);
  a[g] = 2 * x[l];
  b[g] = 2 * y[l];
  wait_group_events(1, &second);
}

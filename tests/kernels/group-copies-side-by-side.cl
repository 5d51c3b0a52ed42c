launch groups=1 items=16
expect ok
kernel void k(global float *in, global float *out) {
  local float t[32];
  event_t a = async_work_group_copy(t, in, 16, 0);
  event_t b = async_work_group_copy(t + 16, in + 16, 16, 0);
  wait_group_events(1, &a);
  wait_group_events(1, &b);
  int l = get_local_id(0);
  out[l] = t[l];
}

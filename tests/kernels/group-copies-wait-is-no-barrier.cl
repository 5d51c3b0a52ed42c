launch groups=1 items=16
expect race
kernel void k(global float *in, global float *out) {
  local float t[16], u[16];
  int l = get_local_id(0);
  u[l] = l;
  event_t e = async_work_group_copy(t, in, 16, 0);
  wait_group_events(1, &e);
  out[l] = t[l] + u[15 - l];
}

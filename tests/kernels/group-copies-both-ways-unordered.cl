launch groups=1 items=16
expect race
kernel void k(global float *in, global float *out) {
  local float t[16];
  int l = get_local_id(0);
  event_t e = async_work_group_copy(t, in, 16, 0);
  wait_group_events(1, &e);
  float v = t[15 - l];

  t[l] = v + 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out, t, 16, 0);
  wait_group_events(1, &e);
  t[l] = 0;
}

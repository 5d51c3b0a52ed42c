title "A barrier instead of a wait for a copy"
note "A barrier does not complete the copy."
launch groups=1 threads=64
expect race mem.race
__attribute__((reqd_work_group_size(64,1,1)))
kernel void asb(global const float *in, global float *out) {
  local float s[64];
  int l = get_local_id(0);
  event_t e = async_work_group_copy(s, in, 64, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = s[63 - l];
  wait_group_events(1, &e);
}

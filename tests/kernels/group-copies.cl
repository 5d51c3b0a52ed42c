title "Copies of a work-group into two buffers"
note "Each round waits for the event of its buffer."
launch groups=1 threads=64
argument n=3
expect ok
__attribute__((reqd_work_group_size(64,1,1)))
kernel void adb(global const float *in, global float *out, int n) {
  local float s[2][64];
  int l = get_local_id(0);
  float acc = 0;
  event_t e[2];
  e[0] = async_work_group_copy(s[0], in, 64, 0);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) e[(i + 1) & 1] = async_work_group_copy(s[(i + 1) & 1], in + (i + 1) * 64, 64, 0);
    wait_group_events(1, &e[i & 1]);
    acc += s[i & 1][63 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[l] = acc;
}

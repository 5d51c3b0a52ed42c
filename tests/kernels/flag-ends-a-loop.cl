title "A loop that ends by a flag in local memory"
note "All work-items read the flag between two barriers."
launch groups=1 items=16
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void rounds(global const int *in, global int *out) {
  local int done;
  local int tile[16];
  int t = get_local_id(0), v = 0, stop;
  do {
    tile[t] = v;
    if (t == 0) done = in[v & 7] == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    v += tile[15 - t];
    stop = done;
    barrier(CLK_LOCAL_MEM_FENCE);
  } while (!stop);
  out[t] = v;
}
expect ok

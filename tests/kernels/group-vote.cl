title "A barrier in a branch that all work-items take together"
target opencl
launch groups=1 threads=64
expect ok
kernel void turn(global const int *in, global int *out) {
  local int tile[64];
  int own = get_local_id(0);
  tile[own] = in[own];
  if (work_group_any(tile[own] > 0)) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[own] = tile[63 - own];
  }
}

title "A sub-group barrier between two sub-groups, with the extension enabled"
note "The name of the extension says nothing about the launch: a work-group of 64 work-items has several sub-groups."
target opencl
launch groups=1 items=64
expect race mem.race
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void sums(global int *out) {
  local int part[64];
  int l = get_local_id(0);
  part[l] = l;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = part[63 - l];
}

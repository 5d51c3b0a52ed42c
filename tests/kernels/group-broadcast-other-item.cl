launch groups=1 items=64
expect ub opencl.barrier.uniform-arguments
kernel void k(global int *a) {
  int l = get_local_id(0);
  a[l] = work_group_broadcast(l, l & 1);
}

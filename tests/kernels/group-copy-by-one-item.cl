launch groups=1 items=64
expect ub opencl.barrier.all-encounter
kernel void k(global float *a, global float *b, local float *t) {
  int l = get_local_id(0);
  if (l == 0) {
    event_t copy = async_work_group_copy(t, a, 64, 0);
    wait_group_events(1, &copy);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = t[l];
}

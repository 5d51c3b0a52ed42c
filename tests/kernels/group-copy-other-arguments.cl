launch groups=1 items=64
expect ub opencl.barrier.uniform-arguments
kernel void k(global float *a, global float *b, local float *t) {
  int l = get_local_id(0);
  event_t copy = async_work_group_copy(t + l, a + l, 1, 0);
  wait_group_events(1, &copy);
  b[l] = t[l];
}

launch groups=2 items=255
expect ok
kernel void k(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[254 - l];
}

title "A stencil of any number of rounds in OpenCL C"
note "The barrier of each round orders the two buffers."
launch groups=1 threads=64
expect ok
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rounds(global float *u, int steps) {
  local float s[2][66];
  int l = get_local_id(0) + 1;
  s[0][l] = u[get_global_id(0)];
  if (l == 1) s[0][0] = s[1][0] = 0;
  if (l == 64) s[0][65] = s[1][65] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int p = 0;
  for (int t = 0; t < steps; t++) {
    s[p ^ 1][l] = 0.5f * s[p][l] + 0.25f * (s[p][l - 1] + s[p][l + 1]);
    p ^= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  u[get_global_id(0)] = s[p][l];
}

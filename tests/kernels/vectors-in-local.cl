title "Vectors that work-items store in local memory"
target opencl
launch groups=1 threads=64
expect ok
kernel void turn(global const float *in, global float *out, local float *tile) {
  size_t own = get_local_id(0);
  vstore4(vload4(own, in), own, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore4(vload4(63 - own, tile), own, out);
}

title "Vectors in local memory without the barrier"
target opencl
launch groups=1 threads=64
expect race
kernel void turn(global const float *in, global float *out, local float *tile) {
  size_t own = get_local_id(0);
  vstore4(vload4(own, in), own, tile);
  vstore4(vload4(63 - own, tile), own, out);
}

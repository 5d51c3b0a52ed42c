title "A number initialises a vector that is written to an image"
note "OpenCL makes a vector of a number with one value for all elements."
target opencl
launch groups=2 items=32
expect ok
kernel void clear(write_only image2d_t to) {
  float4 pixel = 0;
  write_imagef(to, (int2)(get_global_id(0), 1), pixel);
}

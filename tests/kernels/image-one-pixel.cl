title "All work-items of a row write one pixel"
note "Nothing orders the writes."
target opencl
launch groups=2 items=32
expect race
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void mirror(read_only image2d_t from, write_only image2d_t to) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 pixel = read_imagef(from, nearest, (int2)(x, y));
  write_imagef(to, (int2)(0, y), pixel);
}

title "Each work-item writes a pixel of its own"
note "The coordinates of an image are its addresses. A read of an image that the kernel cannot write is data."
target opencl
launch groups=2 items=32
expect ok
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void mirror(read_only image2d_t from, write_only image2d_t to) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 pixel = read_imagef(from, nearest, (int2)(x, y));
  write_imagef(to, (int2)(get_global_size(0) - 1 - x, y), pixel);
}

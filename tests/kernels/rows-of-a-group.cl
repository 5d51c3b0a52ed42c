title "A row for each work-group, scaled by its sum"
note "The work-items share a row of unknown length: each writes every 64th element of it."
expect ok
launch groups=2 threads=64
kernel void scale(global float *out, global const float *in, int width) {
    local float sums[64];
    int row = get_group_id(0), lane = get_local_id(0);
    float sum = 0;
    for (int at = lane; at < width; at += 64) sum += in[row * width + at];
    sums[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    float all = 0;
    for (int other = 0; other < 64; other++) all += sums[other];
    for (int at = lane; at < width; at += 64) out[row * width + at] = in[row * width + at] / all;
}

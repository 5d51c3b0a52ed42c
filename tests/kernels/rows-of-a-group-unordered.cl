title "Rows of work-groups, with a barrier missing"
note "A work-item reads sums that another one may not have written."
expect race mem.race
launch groups=2 threads=64
kernel void scale(global float *out, global const float *in, int width) {
    local float sums[64];
    int row = get_group_id(0), lane = get_local_id(0);
    float sum = 0;
    for (int at = lane; at < width; at += 64) sum += in[row * width + at];
    sums[lane] = sum;
    float all = 0;
    for (int other = 0; other < 64; other++) all += sums[other];
    for (int at = lane; at < width; at += 64) out[row * width + at] = in[row * width + at] / all;
}

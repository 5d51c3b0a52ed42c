title "A pointer to a function that the host passes"
note "The function may access memory or synchronise."
launch ctas=1 threads=64
expect unknown
typedef float (*Each)(float);
__global__ void k(float *out, Each each) { out[threadIdx.x] = each(out[threadIdx.x]); }

title "Only one of two barriers that vote"
note "No barrier is between the first stores and the loads."
launch ctas=1
__global__ void __launch_bounds__(64) votes(int *out) {
    __shared__ int part[64];
    int own = threadIdx.x;
    part[own] = own;
    int any = own > 5;
    int next = part[(own + 1) & 63];
    int odd = __nvvm_bar0_popc(own & 1);
    part[own] = any;
    out[own] = next + odd;
}
expect race mem.race

title "Barriers that vote, by the names of clang"
note "The first barrier is before the loads, the second before the last stores."
launch ctas=1
__global__ void __launch_bounds__(64) votes(int *out) {
    __shared__ int part[64];
    int own = threadIdx.x;
    part[own] = own;
    int any = __nvvm_bar0_or(own > 5);
    int next = part[(own + 1) & 63];
    int odd = __nvvm_bar0_popc(own & 1);
    part[own] = any;
    out[own] = next + odd;
}
expect ok

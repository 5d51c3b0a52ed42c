title "A thread reads a plain member beside a volatile one"
note "Only the member that is declared volatile is strong."
launch ctas=1
expect race mem.race
struct Slot { int payload; volatile int ready; };
__global__ void __launch_bounds__(64) k(Slot *slot, int *out) {
  if (threadIdx.x == 0) slot->payload = 1;
  if (threadIdx.x == 32) out[0] = slot->payload;
}

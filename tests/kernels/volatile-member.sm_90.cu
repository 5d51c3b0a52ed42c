title "A thread waits for a volatile member of a structure"
note "Accesses of a volatile member, and of members of a volatile structure, are strong."
launch ctas=1
expect ok
struct Slot { int payload; volatile int ready; };
struct Pair { int first, second; };
__global__ void __launch_bounds__(64) k(Slot *slot, volatile Pair *pair) {
  if (threadIdx.x == 0) {
    slot->ready = 1;
    pair->second = 1;
  }
  if (threadIdx.x == 32) {
    while (slot->ready == 0) { }
    while (pair->second == 0) { }
  }
}

title "A function without a definition"
note "It may access memory or synchronise."
target opencl
launch groups=1 items=32
expect unknown
int elsewhere(global int *data, int at) __attribute((pure));
static inline __attribute__((always_inline)) int twice(int value) { return 2 * value; }
kernel void k(global int *data) {
  int i = get_global_id(0);
  __builtin_assume(i >= 0);
  if (data != NULL) data[i] = twice(elsewhere(data, i));
}

// A structure with an array.
// groups 1, threads 64
struct State { int head; int data[64]; };
KERNEL struct_fields(GLOBAL const int *in, GLOBAL int *out) {
  SHARED struct State s;
  int t = TX;
  if (t == 0) s.head = in[64];
  s.data[t] = in[t];
  SYNC; // needed
  out[t] = s.data[63 - t] + s.head;
}

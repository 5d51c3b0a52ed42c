title "Operators that the text defines"
note "A structure with `[]` and `()`, and `+` on another one, decide which element a thread accesses. The barrier orders the store and the load of each element."
launch ctas=1
expect ok
struct Place {
  int at;
};
__device__ Place operator+(Place one, int by) {
  one.at += by;
  return one;
}
struct Tile {
  int *cells;
  __device__ int &operator[](int at) { return cells[at]; }
  __device__ int operator()(int at) const { return at ^ 32; }
};
__global__ void __launch_bounds__(64) across(int *out) {
  __shared__ int cells[65];
  int t = threadIdx.x;
  Tile tile;
  tile.cells = cells;
  Place own;
  own.at = t;
  own = own + 1;
  tile[own.at] = t;
  __syncthreads();
  out[t] = tile[tile(t) + 1];
}

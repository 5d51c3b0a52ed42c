title "Operators that the text defines, without a barrier"
note "Operators decide which element a thread accesses: another warp stores the element that a thread loads."
launch ctas=1
expect race
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
  out[t] = tile[tile(t) + 1];
}

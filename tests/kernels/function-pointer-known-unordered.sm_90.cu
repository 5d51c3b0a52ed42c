title "A pointer to a known function, without the barrier"
note "The store is in the function that the pointer names."
launch ctas=1 threads=64
expect race
typedef void (*Store)(int *, int);
struct Place { int *tile; };
struct Cell : public Place { int at; __device__ int other() const { return tile[63 - at]; } };
__device__ void own(int *tile, int at) { tile[at] = at; }
__device__ void apply(Store how, Cell &cell) { (*how)(cell.tile, cell.at); }
__global__ void k(int *out) {
  __shared__ int tile[64];
  Cell cell;
  cell.tile = tile;
  cell.at = threadIdx.x;
  Store how = &own;
  apply(how, cell);
  out[threadIdx.x] = cell.other();
}

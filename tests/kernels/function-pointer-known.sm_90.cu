title "A pointer to a known function"
note "The function that the pointer names stores to the tile, and the barrier orders it."
launch ctas=1 threads=64
expect ok
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
  __syncthreads();
  out[threadIdx.x] = cell.other();
}

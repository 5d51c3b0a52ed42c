title "Two warps write the same row through a template of derived structures"
launch ctas=1
expect race
template <class T> struct Store { T *at; __device__ void put(int i, T v) { at[i] = v; } };
template <class T, int N> struct Row : public Store<T> { __device__ void fill(int t) { this->put(t % N, t); } };
__global__ void __launch_bounds__(64) k(int *out) {
  Row<int, 32> row;
  row.at = out;
  row.fill(threadIdx.x);
}

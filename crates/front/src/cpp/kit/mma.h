#pragma once
namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
// A part of a matrix: what a lane holds of it.
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  static const int num_elements = 8;
  T x[8];
};
template <class Part, class T> __device__ void fill_fragment(Part &part, T value) {
  for (int i = 0; i < 8; ++i) part.x[i] = value;
}
// A lane accesses half a row. Which lane accesses which element does not matter: the others wait for it.
template <class Part, class T> __device__ void load_matrix_sync(Part &part, const T *from, unsigned row) {
  __syncwarp();
  for (int i = 0; i < 8; ++i) part.x[i] = from[__lane_id() / 2 * row + __lane_id() % 2 * 8 + i];
  __syncwarp();
}
template <class Part, class T> __device__ void load_matrix_sync(Part &part, const T *from, unsigned row, layout_t) {
  load_matrix_sync(part, from, row);
}
template <class Part, class T> __device__ void store_matrix_sync(T *to, const Part &part, unsigned row, layout_t) {
  __syncwarp();
  for (int i = 0; i < 8; ++i) to[__lane_id() / 2 * row + __lane_id() % 2 * 8 + i] = part.x[i];
  __syncwarp();
}
template <class D, class A, class B, class C> __device__ void mma_sync(D &d, const A &a, const B &b, const C &c) {
  __syncwarp();
  for (int i = 0; i < 8; ++i) d.x[i] = (float)a.x[i] * (float)b.x[i] + c.x[i];
}
}
}

title "A ring of two tiles in a class template"
launch ctas=1 threads=64
expect ok
template <class T, unsigned Cap> class Ring {
  T *data_;
  unsigned head_;
public:
  __device__ Ring(T *data) : data_(data), head_(0) {}
  __device__ T &slot(unsigned i) { return data_[i % Cap]; }
  __device__ void next() { head_ += 64; }
  __device__ unsigned head() const { return head_; }
};
__global__ void a16(int *p, int n) {
  __shared__ int buf[128];
  Ring<int, 128> ring(buf);
  for (int i = 0; i < n; ++i) {
    ring.slot(ring.head() + threadIdx.x) = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = ring.slot(ring.head() + 63 - threadIdx.x);
    ring.next();
  }
}

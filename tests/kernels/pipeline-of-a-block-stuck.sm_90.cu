title "A pipeline that fetches more stages than it has"
note "The producer waits for a stage that it would release itself later."
expect deadlock ptx.mbarrier.never-completes
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
template <int stages> __global__ void with_staging(int *out, int const *in, size_t batches) {
  auto block = cg::this_thread_block();
  __shared__ int shared[stages * 64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, stages> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  for (size_t compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < (compute + stages + 1); ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, shared + (fetch % stages) * 64, in + fetch * 64, sizeof(int) * 64, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    out[compute * 64 + block.thread_rank()] = shared[(compute % stages) * 64 + 63 - block.thread_rank()];
    pipeline.consumer_release();
  }
}
void host(int *a, int *b) { with_staging<2><<<1, 64>>>(a, b, 5); }

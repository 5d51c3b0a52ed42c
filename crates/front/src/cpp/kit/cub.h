#pragma once
#include <cooperative_groups.h>
// The collective functions of CUB, as far as they synchronise: where their storage is read, and after which barrier.
namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
struct Sum { template <class T> __host__ __device__ T operator()(T x, T y) const { return x + y; } };
struct Max { template <class T> __host__ __device__ T operator()(T x, T y) const { return x > y ? x : y; } };
struct Min { template <class T> __host__ __device__ T operator()(T x, T y) const { return x < y ? x : y; } };

template <class T, int X, int Algorithm = 2, int Y = 1, int Z = 1> struct BlockReduce {
  struct TempStorage { T parts[(X * Y * Z + 31) / 32]; };
  TempStorage *storage;
  __device__ BlockReduce(TempStorage &of) { storage = &of; }
  // Only the first thread has the result.
  template <class How> __device__ T Reduce(T value, How how) {
    int rank = threadIdx.x;
    if (Y * Z > 1) rank += (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x;
    if (rank % 32 == 0) storage->parts[rank / 32] = how(value, value);
    __syncthreads();
    if (rank == 0) {
      for (int part = 1; part < (X * Y * Z + 31) / 32; part++) value = how(value, storage->parts[part]);
    }
    return value;
  }
  template <class How> __device__ T Reduce(T value, How how, int valid) { return Reduce(value, how); }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
  __device__ T Sum(T value, int valid) { return Reduce(value, cub::Sum()); }
};

template <class T, int X, int Algorithm = 2, int Y = 1, int Z = 1> struct BlockScan {
  struct TempStorage { T parts[(X * Y * Z + 31) / 32]; };
  TempStorage *storage;
  __device__ BlockScan(TempStorage &of) { storage = &of; }
  template <class How> __device__ void InclusiveScan(T value, T &result, How how, T &all) {
    int rank = threadIdx.x;
    if (Y * Z > 1) rank += (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x;
    if (rank % 32 == 31 || rank == X * Y * Z - 1) storage->parts[rank / 32] = how(value, value);
    __syncthreads();
    all = storage->parts[0];
    for (int part = 1; part < (X * Y * Z + 31) / 32; part++) all = how(all, storage->parts[part]);
    result = how(value, all);
  }
  template <class How> __device__ void InclusiveScan(T value, T &result, How how) { T all; InclusiveScan(value, result, how, all); }
  template <class How> __device__ void ExclusiveScan(T value, T &result, T first, How how) { InclusiveScan(value, result, how); }
  template <class How> __device__ void ExclusiveScan(T value, T &result, T first, How how, T &all) { InclusiveScan(value, result, how, all); }
  __device__ void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
  __device__ void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
  __device__ void ExclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
  __device__ void ExclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
};

template <class T, int Lanes = 32> struct WarpReduce {
  struct TempStorage {};
  __device__ WarpReduce(TempStorage &of) {}
  template <class How> __device__ T Reduce(T value, How how) {
    cooperative_groups::thread_block_tile<Lanes> tile;
    tile.sync();
    return how(value, value);
  }
  __device__ T Sum(T value) { return Reduce(value, cub::Sum()); }
};

// The code of the host calls these, and nothing runs them.
#ifndef TIDEGATE_BUILT_IN
template <class Key, class Of> struct KeyValuePair { Key key; Of value; };
#define TIDEGATE_OF_DEVICES(name) template <class... T> static cudaError_t name(T...) { return cudaSuccess; }
struct DeviceReduce { TIDEGATE_OF_DEVICES(Sum) TIDEGATE_OF_DEVICES(Max) TIDEGATE_OF_DEVICES(Min) TIDEGATE_OF_DEVICES(Reduce) TIDEGATE_OF_DEVICES(ArgMax) TIDEGATE_OF_DEVICES(ArgMin) TIDEGATE_OF_DEVICES(ReduceByKey) };
struct DeviceScan { TIDEGATE_OF_DEVICES(ExclusiveSum) TIDEGATE_OF_DEVICES(InclusiveSum) TIDEGATE_OF_DEVICES(ExclusiveScan) TIDEGATE_OF_DEVICES(InclusiveScan) };
struct DeviceSelect { TIDEGATE_OF_DEVICES(Flagged) TIDEGATE_OF_DEVICES(If) TIDEGATE_OF_DEVICES(Unique) };
struct DeviceRadixSort { TIDEGATE_OF_DEVICES(SortKeys) TIDEGATE_OF_DEVICES(SortPairs) TIDEGATE_OF_DEVICES(SortKeysDescending) TIDEGATE_OF_DEVICES(SortPairsDescending) };
#endif
}

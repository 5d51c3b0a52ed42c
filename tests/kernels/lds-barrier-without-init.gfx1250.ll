title "No wave initialises the barrier in LDS"
launch groups=1 threads=32
expect unknown
target triple = "amdgpu12.50-amd-amdhsa"
@bar = internal addrspace(3) global i64 poison
define amdgpu_kernel void @k() {
  %old = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @bar, i64 1)
  ret void
}
declare i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3), i64)

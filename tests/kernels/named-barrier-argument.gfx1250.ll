title "The host passes a named barrier"
launch groups=1 threads=64
expect unknown
target triple = "amdgpu12.50-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(3) %in) {
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) %in, i32 2)
  ret void
}
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)

title "An asynchronous store from LDS whose bytes are overwritten before it is complete"
launch groups=1 threads=32
expect race
target triple = "amdgpu12.50-amd-amdhsa"
@l = internal addrspace(3) global [64 x i32] poison
define amdgpu_kernel void @k(ptr addrspace(1) %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [64 x i32], ptr addrspace(3) @l, i32 0, i32 %t
  %g = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1) %g, ptr addrspace(3) %p, i32 0, i32 0)
  store i32 7, ptr addrspace(3) %p
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.global.store.async.from.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)

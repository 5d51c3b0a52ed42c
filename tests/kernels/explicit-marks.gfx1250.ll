title "Two marked copies, and a wait that leaves the newer mark outstanding"
launch groups=1 threads=64
expect ok
target triple = "amdgcn-amd-amdhsa"
@s = internal addrspace(3) global [2 x [64 x i32]] poison, align 4
define amdgpu_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %g = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %g1 = getelementptr i32, ptr addrspace(1) %g, i32 64
  %d0 = getelementptr [2 x [64 x i32]], ptr addrspace(3) @s, i32 0, i32 0, i32 %t
  %d1 = getelementptr [2 x [64 x i32]], ptr addrspace(3) @s, i32 0, i32 1, i32 %t
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %g, ptr addrspace(3) %d0, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) %g1, ptr addrspace(3) %d1, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 1)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %r = sub i32 63, %t
  %p = getelementptr [2 x [64 x i32]], ptr addrspace(3) @s, i32 0, i32 0, i32 %r
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32 immarg, i32 immarg)
declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.wait.asyncmark(i16 immarg)
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx1250" }

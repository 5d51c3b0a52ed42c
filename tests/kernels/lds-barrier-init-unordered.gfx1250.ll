title "A wave may arrive at a barrier in LDS before another one has initialised it"
launch groups=1 threads=64
expect race
target triple = "amdgpu12.50-amd-amdhsa"
@bar = internal addrspace(3) global i64 poison
define amdgpu_kernel void @k() {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %c = icmp ult i32 %t, 32
  br i1 %c, label %i, label %e
i:
  store i64 4294967297, ptr addrspace(3) @bar
  br label %e
e:
  %old = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @bar, i64 1)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3), i64)

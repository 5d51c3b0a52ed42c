launch groups=1 threads=64
expect ok
target triple = "amdgpu12.50-amd-amdhsa"

@bar = internal addrspace(3) global i64 poison
@tile = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @lds_barrier(i32 %n) #0 {
entry:
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %first = icmp eq i32 %item, 0
  br i1 %first, label %init, label %ready

init:
  store i64 270582939711, ptr addrspace(3) @bar
  br label %ready

ready:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %own = getelementptr i32, ptr addrspace(3) @tile, i32 %item
  %across = xor i32 %item, 63
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %across
  store i32 %item, ptr addrspace(3) %own
  %old = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @bar, i64 1)
  br label %poll

poll:
  %word = load i64, ptr addrspace(3) @bar
  %bit = and i64 %word, 536870912
  %again = icmp eq i64 %bit, 0
  br i1 %again, label %poll, label %done

done:
  %value = load i32, ptr addrspace(3) %other
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
declare i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3), i64)

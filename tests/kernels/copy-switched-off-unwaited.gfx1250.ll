launch groups=1 threads=64
expect race
target triple = "amdgpu12.50-amd-amdhsa"

@tile = external addrspace(3) global [0 x i8], align 16

define amdgpu_kernel void @copy_switched_off_unwaited(ptr addrspace(1) readonly %from, ptr addrspace(1) writeonly %to, i32 %n) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %place = shl i32 %item, 4
  %other = xor i32 %place, 1008
  %source = getelementptr i8, ptr addrspace(1) %from, i32 %place
  %own = getelementptr i8, ptr addrspace(3) @tile, i32 %place
  %is.on = icmp sgt i32 %n, 0
  %target = select i1 %is.on, ptr addrspace(3) %own, ptr addrspace(3) inttoptr (i32 2147483647 to ptr addrspace(3))
  call void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1) %source, ptr addrspace(3) %target, i32 0, i32 0)
  call void @llvm.amdgcn.s.wait.asynccnt(i16 1)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br i1 %is.on, label %read, label %end

read:
  %across = getelementptr i8, ptr addrspace(3) @tile, i32 %other
  %value = load i32, ptr addrspace(3) %across
  %result = getelementptr i8, ptr addrspace(1) %to, i32 %place
  store i32 %value, ptr addrspace(1) %result
  br label %end

end:
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.global.load.async.to.lds.b128(ptr addrspace(1), ptr addrspace(3), i32, i32)
declare void @llvm.amdgcn.s.wait.asynccnt(i16)
declare void @llvm.amdgcn.s.barrier()

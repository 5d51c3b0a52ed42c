launch groups=1 threads=64
expect race mem.race
target triple = "amdgpu12.50-amd-amdhsa"

@tile = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @switch_on_argument(i32 %mode) #0 {
entry:
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %own = getelementptr i32, ptr addrspace(3) @tile, i32 %item
  %across = xor i32 %item, 63
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %across
  store i32 %item, ptr addrspace(3) %own
  switch i32 %mode, label %end [
    i32 1, label %one
    i32 5, label %five
  ]

one:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %read

five:
  br label %read

read:
  %value = load i32, ptr addrspace(3) %other
  br label %end

end:
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

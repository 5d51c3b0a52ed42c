launch groups=1 threads=64
expect race mem.race
target triple = "amdgpu12.50-amd-amdhsa"

@task = internal addrspace(3) global i8 poison
@tile = internal addrspace(3) global [64 x i32] poison

define amdgpu_kernel void @task_in_lds() #0 {
entry:
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %own = getelementptr i32, ptr addrspace(3) @tile, i32 %item
  store i32 %item, ptr addrspace(3) %own
  store i8 0, ptr addrspace(3) @task
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %task = load i8, ptr addrspace(3) @task
  switch i8 %task, label %end [
    i8 0, label %wrong
    i8 1, label %read
  ]

wrong:
  store i32 %item, ptr addrspace(3) @tile
  br label %end

read:
  %across = xor i32 %item, 63
  %other = getelementptr i32, ptr addrspace(3) @tile, i32 %across
  %value = load i32, ptr addrspace(3) %other
  br label %end

end:
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()

title "Threads of one warp take different cases of a switch"
note "The first and the last thread store an edge, and the others store nothing. The barrier orders the stores before the loads."
target sm_90
launch ctas=1 threads=64
expect ok
target triple = "nvptx64-nvidia-cuda"

@edge = internal addrspace(3) global [2 x float] undef, align 4

define ptx_kernel void @edges(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext nneg i32 %t to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %from, align 4
  switch i32 %t, label %meet [
    i32 0, label %first
    i32 63, label %last
  ]

first:
  store float %v, ptr addrspace(3) @edge, align 4
  br label %meet

last:
  store float %v, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @edge, i64 4), align 4
  br label %meet

meet:
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = load float, ptr addrspace(3) @edge, align 4
  %b = load float, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @edge, i64 4), align 4
  %sum = fadd float %a, %b
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %at
  store float %sum, ptr addrspace(1) %to, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

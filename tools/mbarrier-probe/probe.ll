; Performs operations on an mbarrier object in one thread. After each, stores the word of the object and the returned
; token, or 0. Plain loads read the word of a valid object. PTX does not define them, and they are the measurement.

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global i64 undef, align 8

declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3))
declare void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3), i32)

define internal void @note(ptr addrspace(1) %out, i32 %step, i64 %token) alwaysinline {
  %word = load volatile i64, ptr addrspace(3) @bar, align 8
  %at = getelementptr { i64, i64 }, ptr addrspace(1) %out, i32 %step
  store volatile i64 %word, ptr addrspace(1) %at, align 8
  %second = getelementptr { i64, i64 }, ptr addrspace(1) %out, i32 %step, i32 1
  store volatile i64 %token, ptr addrspace(1) %second, align 8
  ret void
}

define ptx_kernel void @probe(ptr addrspace(1) %out) {
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 5)
  call void @note(ptr addrspace(1) %out, i32 0, i64 0)
  %t1 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) @bar, i32 1)
  call void @note(ptr addrspace(1) %out, i32 1, i64 %t1)
  %t2 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) @bar, i32 2)
  call void @note(ptr addrspace(1) %out, i32 2, i64 %t2)
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 16)
  call void @note(ptr addrspace(1) %out, i32 3, i64 0)
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1048559)
  call void @note(ptr addrspace(1) %out, i32 4, i64 0)
  call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 1048575)
  call void @note(ptr addrspace(1) %out, i32 5, i64 0)
  call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 16)
  call void @note(ptr addrspace(1) %out, i32 6, i64 0)
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 16)
  call void @note(ptr addrspace(1) %out, i32 7, i64 0)
  %t8 = call i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3) @bar)
  call void @note(ptr addrspace(1) %out, i32 8, i64 %t8)
  %t9 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  call void @note(ptr addrspace(1) %out, i32 9, i64 %t9)
  %t10 = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) @bar, i32 3)
  call void @note(ptr addrspace(1) %out, i32 10, i64 %t10)
  %t11 = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  call void @note(ptr addrspace(1) %out, i32 11, i64 %t11)
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) @bar)
  ret void
}

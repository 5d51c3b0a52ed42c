title "Two waves wait at the second barrier of an array, which expects three arrivals"
note "The arrivals at the first barrier of the array do not count."
launch groups=1 threads=128
expect deadlock amd.wait.never-completes
target triple = "amdgpu12.50-amd-amdhsa"
@pairs = internal addrspace(3) global [2 x target("amdgcn.named.barrier", 0)] poison
define amdgpu_kernel void @k() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %own = lshr i32 %id, 5
  %wave = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %own)
  %is.first = icmp eq i32 %wave, 0
  br i1 %is.first, label %init, label %all
init:
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) @pairs, i32 2)
  call void @llvm.amdgcn.s.barrier.init(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @pairs, i32 16), i32 3)
  br label %all
all:
  call void @llvm.amdgcn.s.barrier()
  %is.low = icmp ult i32 %wave, 2
  br i1 %is.low, label %low, label %high
low:
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @pairs)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @pairs, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
high:
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @pairs, i32 16))
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @pairs, i32 16), i32 3)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))
declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)

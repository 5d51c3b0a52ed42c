title "A read of a tile whose copy may be outstanding"
note "Each wave copies its half of two tiles, and waits for all copies but the newest, whose tile is read."
launch groups=1 waves=2
@first = internal addrspace(3) global [256 x i32] poison, align 16
@second = internal addrspace(3) global [256 x i32] poison, align 16

define amdgpu_kernel void @tiles(ptr addrspace(1) %to) #0 {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %lane0 = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %item)
  %wave = lshr i32 %lane0, 5
  %part = shl i32 %wave, 9
  %one = add i32 %part, ptrtoint (ptr addrspace(3) @first to i32)
  %two = add i32 %part, ptrtoint (ptr addrspace(3) @second to i32)
  %words = insertelement <4 x i32> <i32 1, i32 poison, i32 0, i32 -2147483648>, i32 %one, i64 1
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %words, <8 x i32> <i32 131072, i32 2097152, i32 262144, i32 2097152, i32 4, i32 32, i32 0, i32 0>, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0)
  %more = insertelement <4 x i32> <i32 1, i32 poison, i32 0, i32 -2147483648>, i32 %two, i64 1
  call void @llvm.amdgcn.tensor.load.to.lds(<4 x i32> %more, <8 x i32> <i32 131072, i32 2097152, i32 262144, i32 2097152, i32 4, i32 32, i32 0, i32 0>, <4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i32 0)
  call void @llvm.amdgcn.s.wait.tensorcnt(i16 1)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %across = xor i32 %item, 63
  %from = getelementptr i32, ptr addrspace(3) @second, i32 %across
  %value = load i32, ptr addrspace(3) %from, align 4
  %own = getelementptr i32, ptr addrspace(1) %to, i32 %item
  store i32 %value, ptr addrspace(1) %own, align 4
  call void @llvm.amdgcn.s.wait.tensorcnt(i16 0)
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx1250" }
expect race

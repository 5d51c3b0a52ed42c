launch groups=1 threads=64
expect race mem.race
target triple = "amdgpu12.50-amd-amdhsa"

@word = internal addrspace(3) global [2 x i32] poison

define amdgpu_kernel void @waves_store_alike(i32 %n) #0 {
  %wave = call i32 @llvm.amdgcn.wave.id()
  %by = add i32 %wave, 1
  %half = lshr i32 %n, %by
  %pair = insertelement <2 x i32> <i32 7, i32 poison>, i32 %half, i64 1
  store <2 x i32> %pair, ptr addrspace(3) @word
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %value = load <2 x i32>, ptr addrspace(3) @word
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }

declare i32 @llvm.amdgcn.wave.id()
declare void @llvm.amdgcn.s.barrier()

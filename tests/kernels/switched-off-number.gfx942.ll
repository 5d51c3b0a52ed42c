title "An offset that switches lanes off, used as a number"
note "The low bits of 2^31 are zero, so lanes beyond the limit store to the first element, as the first lane does."
expect race
launch groups=1
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @limited(ptr addrspace(1) %out, i32 %limit) #0 {
  %item = tail call i32 @llvm.amdgcn.workitem.id.x()
  %within = icmp slt i32 %item, %limit
  %bytes = shl nuw nsw i32 %item, 2
  %offset = select i1 %within, i32 %bytes, i32 -2147483648
  %low = and i32 %offset, 65535
  %far = zext i32 %low to i64
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %far
  store i32 %item, ptr addrspace(1) %to
  ret void
}
attributes #0 = { "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="128,128" }

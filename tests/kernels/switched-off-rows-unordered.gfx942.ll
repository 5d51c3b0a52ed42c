title "Lanes that are switched off by an offset, where the others store to the same bytes"
note "The two waves store different values to the elements of the first wave."
expect race
launch groups=1
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @limited(ptr addrspace(1) %out, i32 %limit) #0 {
  %item = tail call i32 @llvm.amdgcn.workitem.id.x()
  %within = icmp slt i32 %item, %limit
  %buffer = tail call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 2147483646, i32 822243328)
  %own = and i32 %item, 63
  %bytes = shl nuw nsw i32 %own, 2
  %offset = select i1 %within, i32 %bytes, i32 -2147483648
  tail call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %item, ptr addrspace(8) %buffer, i32 %offset, i32 0, i32 0)
  ret void
}
attributes #0 = { "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="128,128" }

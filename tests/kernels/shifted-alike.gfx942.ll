expect ok
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @shifted_alike(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %s) #0 {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %i = zext i32 %t to i64
  %j0 = add i32 %t, %s
  %je0 = sext i32 %j0 to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %je0
  store i32 1, ptr addrspace(1) %p
  %j = add i32 %t, %s
  %je = sext i32 %j to i64
  %q = getelementptr i32, ptr addrspace(1) %a, i64 %je
  %v = load i32, ptr addrspace(1) %q
  %r = getelementptr i32, ptr addrspace(1) %o, i64 %i
  store i32 %v, ptr addrspace(1) %r
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx942" }

launch groups=1 items=4
expect ub opencl.barrier.all-encounter
target triple = "spir64"
define spir_kernel void @k(ptr addrspace(1) %data) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %l
  %x = load i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %then, label %end
then:
  call spir_func void @_Z7barrierj(i32 1)
  br label %end
end:
  ret void
}
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

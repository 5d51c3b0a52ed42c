launch groups=2 items=64
expect ok
target triple = "spir64"
define spir_kernel void @add(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %g to i32
  %inside = icmp sgt i32 %n, %i
  br i1 %inside, label %then, label %end
then:
  %x = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %c, i64 %x
  store i32 %v, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)

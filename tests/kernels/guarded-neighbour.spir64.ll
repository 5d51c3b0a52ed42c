launch groups=64 items=1024
expect race mem.race
target triple = "spir64"
define spir_kernel void @add_twice(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
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
  %r = getelementptr i32, ptr addrspace(1) %q, i64 1
  store i32 %v, ptr addrspace(1) %r
  br label %end
end:
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)

launch groups=2x3 items=4
expect ok
target triple = "spir64"
define spir_kernel void @k(ptr addrspace(1) %out) {
entry:
  %d = call spir_func i32 @_Z12get_work_dimv()
  %l = call spir_func i64 @_Z12get_local_idj(i32 3)
  %s = call spir_func i64 @_Z14get_local_sizej(i32 3)
  %d2 = icmp eq i32 %d, 2
  %l0 = icmp eq i64 %l, 0
  %s1 = icmp eq i64 %s, 1
  %a = and i1 %d2, %l0
  %b = and i1 %a, %s1
  br i1 %b, label %end, label %then
then:
  store i32 1, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
declare spir_func i32 @_Z12get_work_dimv()
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)

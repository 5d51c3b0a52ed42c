launch groups=4 items=256
argument n=1024
expect race mem.race
target triple = "spir64"
define spir_kernel void @copy_too_near(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = trunc i64 %g to i32
  %some = icmp sgt i32 %n, %first
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ %next, %loop ], [ %first, %entry ]
  %x = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %c, i64 %x
  store i32 %v, ptr addrspace(1) %q
  %size = call spir_func i64 @_Z15get_global_sizej(i32 0)
  %by = trunc i64 %size to i32
  %less = add i32 %by, -1
  %next = add i32 %i, %less
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z15get_global_sizej(i32)

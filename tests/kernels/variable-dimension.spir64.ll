launch groups=1 items=8x8
expect ok
target triple = "spir64"
define spir_kernel void @k(ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %d = phi i32 [ 0, %entry ], [ %d1, %loop ]
  %at = phi i64 [ 0, %entry ], [ %at1, %loop ]
  %l = call spir_func i64 @_Z12get_local_idj(i32 %d)
  %row = mul i64 %at, 8
  %at1 = add i64 %row, %l
  %d1 = add i32 %d, 1
  %more = icmp ult i32 %d1, 2
  br i1 %more, label %loop, label %end
end:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %at1
  store i32 1, ptr addrspace(1) %p
  ret void
}
declare spir_func i64 @_Z12get_local_idj(i32)

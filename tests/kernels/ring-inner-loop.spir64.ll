launch groups=1 items=64
expect ok
target triple = "spir64"
@ring = internal addrspace(3) global [2 x [64 x i32]] undef
define spir_kernel void @ring_inner_loop(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  %produces = icmp ult i32 %l, 32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %meet ]
  %over = icmp sgt i32 %i, %n
  br i1 %over, label %end, label %body
body:
  br i1 %produces, label %produce, label %consume
produce:
  %left = icmp slt i32 %i, %n
  br i1 %left, label %fill, label %meet
fill:
  %half = and i32 %i, 1
  br label %inner
inner:
  %j = phi i32 [ %l, %fill ], [ %j.next, %inner ]
  %p = getelementptr [2 x [64 x i32]], ptr addrspace(3) @ring, i32 0, i32 %half, i32 %j
  store i32 %i, ptr addrspace(3) %p
  %j.next = add i32 %j, 32
  %more = icmp ult i32 %j.next, 64
  br i1 %more, label %inner, label %meet
consume:
  %first = icmp eq i32 %i, 0
  br i1 %first, label %meet, label %drain
drain:
  %before = add i32 %i, -1
  %other = and i32 %before, 1
  %q = getelementptr [2 x [64 x i32]], ptr addrspace(3) @ring, i32 0, i32 %other, i32 %l
  %v = load i32, ptr addrspace(3) %q
  %row = mul i32 %before, 64
  %at = add i32 %row, %l
  %x = sext i32 %at to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %v, ptr addrspace(1) %o
  br label %meet
meet:
  call spir_func void @_Z7barrierj(i32 1)
  %i.next = add i32 %i, 1
  br label %loop
end:
  ret void
}
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

launch groups=1 items=4
expect ok
target triple = "spir64"
define spir_kernel void @k(ptr addrspace(1) %data) {
entry:
  %x = load i32, ptr addrspace(1) %data
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %then, label %end
then:
  call spir_func void @_Z7barrierj(i32 1)
  br label %end
end:
  ret void
}
declare spir_func void @_Z7barrierj(i32)

launch groups=1 items=32
expect race
target triple = "spir64"
@s = internal addrspace(3) global [32 x i32] undef
define spir_kernel void @k(ptr addrspace(1) %out) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(3) @s, i64 %l
  store i32 1, ptr addrspace(3) %p
  call spir_func void @_Z15write_mem_fencej(i32 2)
  call spir_func void @_Z7barrierj(i32 0)
  call spir_func void @_Z14read_mem_fencej(i32 1)
  %o = sub i64 31, %l
  %q = getelementptr i32, ptr addrspace(3) @s, i64 %o
  %x = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr addrspace(1) %out, i64 %l
  store i32 %x, ptr addrspace(1) %r
  ret void
}
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
declare spir_func void @_Z15write_mem_fencej(i32)
declare spir_func void @_Z14read_mem_fencej(i32)

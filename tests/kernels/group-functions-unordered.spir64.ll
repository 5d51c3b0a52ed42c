title "Functions of sub-groups and work-groups"
note "A function of the work-group orders no memory."
launch groups=1 items=64
target triple = "spir64"

@part = internal addrspace(3) global [64 x float] undef, align 4

define spir_kernel void @sums(ptr addrspace(1) %in, ptr addrspace(1) %out) !reqd_work_group_size !0 {
  %item = tail call spir_func i64 @_Z12get_local_idj(i32 0)
  %own = getelementptr inbounds float, ptr addrspace(1) %in, i64 %item
  %loaded = load float, ptr addrspace(1) %own, align 4
  %sum = tail call spir_func float @_Z20sub_group_reduce_addf(float %loaded)
  %most = tail call spir_func float @_Z21work_group_reduce_maxf(float %sum)
  %cell = getelementptr inbounds [64 x float], ptr addrspace(3) @part, i64 0, i64 %item
  store float %most, ptr addrspace(3) %cell, align 4
  %any = tail call spir_func i32 @_Z14work_group_anyi(i32 1)
  %other = xor i64 %item, 63
  %from = getelementptr inbounds [64 x float], ptr addrspace(3) @part, i64 0, i64 %other
  %value = load float, ptr addrspace(3) %from, align 4
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %item
  store float %value, ptr addrspace(1) %to, align 4
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func float @_Z20sub_group_reduce_addf(float) convergent
declare spir_func float @_Z21work_group_reduce_maxf(float) convergent
declare spir_func i32 @_Z14work_group_anyi(i32) convergent
declare spir_func void @_Z7barrierj(i32) convergent

!0 = !{i32 64, i32 1, i32 1}
expect race

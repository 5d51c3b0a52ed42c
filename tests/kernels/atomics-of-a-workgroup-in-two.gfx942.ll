title "Two workgroups count in one element with the scope of a workgroup"
launch groups=2 items=64
expect race
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @count(ptr addrspace(1) %total) #0 {
  %old = atomicrmw add ptr addrspace(1) %total, i32 1 syncscope("workgroup-one-as") monotonic
  ret void
}

attributes #0 = { "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="64,64" }

launch groups=1 threads=256
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	through,@function
through:
	s_load_b64 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v2, 0x3fc, v1
	s_wait_kmcnt 0x0
	global_store_b32 v1, v0, s[4:5]
	s_wait_storecnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	global_load_b32 v3, v2, s[4:5]
	s_wait_loadcnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel through
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 256
    .name:           through
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         through.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--x
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

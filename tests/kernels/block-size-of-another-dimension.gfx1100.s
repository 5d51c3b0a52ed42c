title "Code strides by the size of a workgroup in y"
note "One load of 4 bytes gives the sizes in x and y. The stride is the size in y, which is 1, so each wave stores what the next one stores."
launch groups=1 threads=64
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.text
	.globl	strided
	.p2align	8
	.type	strided,@function
strided:
	s_load_b32 s2, s[0:1], 0xc
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	s_lshr_b32 s2, s2, 16
	s_lshl_b32 s3, s2, 2
	ds_store_b32 v1, v0
	v_add_nc_u32_e32 v2, s3, v1
	ds_store_b32 v2, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_gl0_inv
	v_lshlrev_b32_e32 v3, 1, v1
	ds_load_b64 v[4:5], v3
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel strided
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .offset:         0
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         4
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         8
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         12
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         14
        .size:           2
        .value_kind:     hidden_group_size_y
    .group_segment_fixed_size: 512
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 64
    .name:           strided
    .symbol:         strided.kd
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

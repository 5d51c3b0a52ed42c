launch groups=1 threads=256
expect unknown
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	polled,@function
polled:
	v_lshlrev_b32_e32 v3, 2, v0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v6, 1
	v_readfirstlane_b32 s2, v0
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 .LBB0_2
	ds_store_b32 v4, v0 offset:1024
	s_wait_dscnt 0x0
	ds_add_u32 v4, v6
	s_branch .LBB0_3
.LBB0_2:
	ds_load_b32 v5, v4
	s_wait_dscnt 0x0
	v_readfirstlane_b32 s3, v5
	s_cmp_eq_u32 s3, 0
	s_cbranch_scc1 .LBB0_2
	ds_load_b32 v5, v4 offset:1024
	s_wait_dscnt 0x0
.LBB0_3:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel polled
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .name:           input
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
        .address_space:  global
      - .name:           n
        .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 256
    .name:           polled
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         polled.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--x
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

launch groups=1 threads=256
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	sums,@function
sums:
	s_load_b32 s2, s[0:1], 0x8
	s_load_b64 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v3, 2, v0
	v_xor_b32_e32 v6, 0x3fc, v3
	v_mov_b32_e32 v4, 0
	s_mov_b32 s3, exec_lo
	s_wait_kmcnt 0x0
	v_cmpx_gt_i32_e64 s2, v0
	s_cbranch_execz .LBB0_3
	v_add_co_u32 v1, s0, s4, v3
	v_add_co_ci_u32_e64 v2, null, s5, 0, s0
	s_mov_b32 s4, 0
.LBB0_2:
	global_load_b32 v5, v[1:2], off
	v_add_nc_u32_e32 v0, 0x100, v0
	v_add_co_u32 v1, s1, 0x400, v1
	v_add_co_ci_u32_e64 v2, null, 0, v2, s1
	v_cmp_le_i32_e64 s0, s2, v0
	s_or_b32 s4, s0, s4
	s_wait_loadcnt 0x0
	v_add_nc_u32_e32 v4, v4, v5
	s_and_not1_b32 exec_lo, exec_lo, s4
	s_cbranch_execnz .LBB0_2
.LBB0_3:
	s_or_b32 exec_lo, exec_lo, s3
	ds_store_b32 v3, v4
	s_wait_dscnt 0x0
	ds_load_b32 v5, v6
	s_wait_dscnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel sums
		.amdhsa_group_segment_fixed_size 1024
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
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 256
    .name:           sums
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         sums.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--x
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

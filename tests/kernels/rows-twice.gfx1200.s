launch groups=1 threads=256
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	rows,@function
rows:
	s_load_b32 s2, s[0:1], 0x8
	s_load_b64 s[4:5], s[0:1], 0x0
	v_bfe_u32 v1, v0, 4, 3
	v_and_b32_e32 v2, 15, v0
	s_wait_kmcnt 0x0
	v_mul_lo_u32 v1, s2, v1
	v_add_nc_u32_e32 v1, v1, v2
	v_ashrrev_i32_e32 v2, 31, v1
	v_lshlrev_b64_e32 v[1:2], 2, v[1:2]
	v_add_co_u32 v1, vcc_lo, s4, v1
	v_add_co_ci_u32_e64 v2, null, s5, v2, vcc_lo
	global_store_b32 v[1:2], v0, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel rows
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
      - .name:           matrix
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
        .address_space:  global
      - .name:           stride
        .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 256
    .name:           rows
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         rows.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--x
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

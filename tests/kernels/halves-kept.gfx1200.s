launch groups=1 threads=128
expect ok
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	halves,@function
halves:
	v_lshlrev_b32_e32 v1, 16, v0
	v_mov_b32_e32 v2, 0
	v_sub_nc_u16 v1, 0, v0
	v_add_nc_u16 v2, v1, v0
	v_lshrrev_b32_e32 v3, 16, v1
	v_lshl_add_u32 v4, v3, 2, v2
	ds_store_b32 v4, v0
	ds_load_b32 v5, v4
	s_wait_dscnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel halves
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel

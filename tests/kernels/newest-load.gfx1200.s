launch groups=1 threads=256
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	newest,@function
newest:
	v_lshlrev_b32_e32 v1, 2, v0
	ds_load_b32 v3, v1
	ds_load_b32 v4, v1 offset:1024
	s_wait_dscnt 0x1
	s_barrier_signal -1
	s_barrier_wait -1
	v_xor_b32_e32 v2, 0x3fc, v1
	ds_store_b32 v2, v3 offset:1024
	s_wait_dscnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel newest
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel

launch groups=1 threads=256
expect ok
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.p2align	8
	.type	caller,@function
caller:
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, exchange@rel32@lo+4
	s_addc_u32 s5, s5, exchange@rel32@hi+12
	s_swappc_b64 s[30:31], s[4:5]
	s_endpgm
	.p2align	2
	.type	exchange,@function
exchange:
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v2, 0x3fc, v1
	ds_write_b32 v1, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	s_setpc_b64 s[30:31]
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel caller
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel

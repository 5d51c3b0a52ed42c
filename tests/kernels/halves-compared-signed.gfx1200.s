launch groups=1 threads=128
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	halves,@function
halves:
	v_add_nc_u16 v1.l, v0.l, 0xffc0
	v_lshlrev_b16 v2.l, 2, v1.l
	v_and_b32_e32 v2, 0xfc, v2
	v_cmp_gt_i16_e32 vcc_lo, 64, v1.l
	s_and_saveexec_b32 s0, vcc_lo
	s_cbranch_execz .LBB0_2
	v_mov_b16_e32 v3.h, v2.l
	v_lshrrev_b32_e32 v4, 16, v3
	ds_store_b32 v4, v0
.LBB0_2:
	s_or_b32 exec_lo, exec_lo, s0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel halves
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel

launch groups=1 threads=64
expect deadlock amd.wait.never-completes
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.text
	.p2align	8
	.type	named,@function
named:
	v_readfirstlane_b32 s3, v0
	s_cmp_gt_u32 s3, 31
	s_cbranch_scc1 .LBB0_1
	s_mov_b32 m0, 0x30001
	s_barrier_init m0
.LBB0_1:
	s_barrier_signal -1
	s_barrier_wait -1
	s_barrier_join 1
	s_cmp_gt_u32 s3, 31
	s_cbranch_scc1 .LBB0_2
	v_lshlrev_b32_e32 v1, 2, v0
	ds_store_b32 v1, v0
	s_wait_dscnt 0x0
	s_barrier_signal 1
	s_endpgm
.LBB0_2:
	s_barrier_signal 1
	s_barrier_wait 1
	v_lshlrev_b32_e32 v1, 2, v0
	v_and_b32_e32 v1, 0x7c, v1
	ds_load_b32 v2, v1
	s_wait_dscnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel named
		.amdhsa_group_segment_fixed_size 128
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
		.amdhsa_named_barrier_count 1
	.end_amdhsa_kernel

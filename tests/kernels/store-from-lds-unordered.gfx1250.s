title "An asynchronous store from LDS of which another wave overwrites the bytes"
launch groups=1 threads=64
expect race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.text
k:
	s_load_b64 s[0:1], s[4:5], 0x0
	v_dual_mov_b32 v1, 7 :: v_dual_lshlrev_b32 v0, 2, v0
	v_mov_b32_e32 v2, 9
	ds_store_b32 v0, v1
	s_wait_dscnt 0x0
	s_wait_kmcnt 0x0
	global_store_async_from_lds_b32 v0, v0, s[0:1]
	s_barrier_signal -1
	s_barrier_wait -1
	v_xor_b32_e32 v0, 0x80, v0
	ds_store_b32 v0, v2
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_group_segment_fixed_size 256
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

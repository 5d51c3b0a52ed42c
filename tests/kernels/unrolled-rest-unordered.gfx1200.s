launch groups=1 threads=256
expect race mem.race
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.text
	.p2align	8
	.type	rounds,@function
rounds:
	s_load_b32 s2, s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v2, 0x3fc, v1
	s_mov_b32 s3, 0
	s_wait_kmcnt 0x0
	s_cmp_lt_i32 s2, 1
	s_cbranch_scc1 .LBB0_4
	s_and_b32 s4, s2, 0x7ffffffc
	s_and_b32 s5, s2, 3
	s_cmp_lt_u32 s2, 4
	s_cbranch_scc1 .LBB0_2
.LBB0_1:
	ds_store_b32 v1, v0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b32 v3, v2
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_store_b32 v1, v0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b32 v3, v2
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_store_b32 v1, v0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b32 v3, v2
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_store_b32 v1, v0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b32 v3, v2
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_add_co_i32 s3, s3, 4
	s_cmp_lg_u32 s3, s4
	s_cbranch_scc1 .LBB0_1
.LBB0_2:
	s_cmp_eq_u32 s5, 0
	s_cbranch_scc1 .LBB0_4
.LBB0_3:
	ds_store_b32 v1, v0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b32 v3, v2
	s_wait_dscnt 0x0
	s_add_co_i32 s5, s5, -1
	s_cmp_lg_u32 s5, 0
	s_cbranch_scc1 .LBB0_3
.LBB0_4:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel rounds
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
      - .name:           n
        .offset:         0
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 256
    .name:           rounds
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         rounds.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--x
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

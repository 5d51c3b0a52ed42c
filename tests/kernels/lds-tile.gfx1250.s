launch groups=1 threads=64
expect ok
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.text
	.p2align	8
	.type	tile,@function
tile:
	v_mov_b32_e32 v1, 0
	s_mov_b32 s30, exec_lo
	v_cmpx_eq_u32_e32 0, v0
	s_cbranch_execz .READY
	v_mov_b32_e32 v2, 1
	v_mov_b32_e32 v3, 1
	ds_store_b64 v1, v[2:3] offset:4096
.READY:
	s_mov_b32 exec_lo, s30
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_bfe_u32 s20, ttmp8, 0x50019
	s_mov_b32 s0, 1
	s_lshl_b32 s1, s20, 11
	s_mov_b32 s2, 0
	s_mov_b32 s3, 0x80000000
	s_mov_b32 s4, 0x50000
	s_mov_b32 s5, 0x400200
	s_mov_b32 s6, 0x100000
	s_mov_b32 s7, 0x400000
	s_mov_b32 s8, 16
	s_mov_b32 s9, 64
	s_mov_b32 s10, 0
	s_mov_b32 s11, 0
	tensor_load_to_lds s[0:3], s[4:11]
.POLL:
	ds_load_b32 v2, v1 offset:4096
	s_wait_dscnt 0x0
	v_and_b32_e32 v2, 0x20000000, v2
	v_cmp_eq_u32_e32 vcc_lo, 0, v2
	s_cbranch_vccnz .POLL
	v_lshlrev_b32_e32 v3, 6, v0
	v_xor_b32_e32 v3, 0xfc0, v3
	ds_load_b32 v4, v3
	s_wait_dscnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel tile
		.amdhsa_group_segment_fixed_size 4104
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:           []
    .group_segment_fixed_size: 4104
    .kernarg_segment_align: 8
    .kernarg_segment_size: 0
    .max_flat_workgroup_size: 64
    .name:           tile
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         tile.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1250
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

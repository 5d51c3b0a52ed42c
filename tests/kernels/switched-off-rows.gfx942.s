title "Machine code with lanes that are switched off by an offset"
note "`v_bfrev_b32` makes the offset 2^31."
expect ok
launch groups=1
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.globl	limited
	.type	limited,@function
limited:
	s_load_dword s6, s[0:1], 0x8
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_and_b32_e32 v1, 127, v0
	v_lshlrev_b32_e32 v5, 2, v1
	v_bfrev_b32_e32 v6, 1
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_i32_e32 vcc, s6, v1
	v_cndmask_b32_e32 v7, v6, v5, vcc
	s_mov_b32 s11, 0x27000
	s_mov_b32 s10, 0x7ffffffe
	s_and_b32 s9, s9, 0xffff
	buffer_store_dword v1, v7, s[8:11], 0 offen
	s_endpgm
	.section .rodata
	.amdhsa_kernel limited
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_count 2
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space: global
        .offset: 0
        .size: 8
        .value_kind: global_buffer
      - .offset: 8
        .size: 4
        .value_kind: by_value
    .kernarg_segment_size: 16
    .name: limited
    .reqd_workgroup_size: [128, 1, 1]
    .symbol: limited.kd
    .wavefront_size: 64
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.version: [1, 2]
...
	.end_amdgpu_metadata

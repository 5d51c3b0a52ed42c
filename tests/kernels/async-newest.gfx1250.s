launch groups=1 threads=128
expect ok
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
	.text
	.p2align	8
	.type	async,@function
async:
	s_load_b64 s[4:5], s[0:1], 0x0
	v_lshlrev_b32_e32 v1, 4, v0
	v_xor_b32_e32 v2, 0x7f0, v1
	s_wait_kmcnt 0x0
	global_load_async_to_lds_b128 v1, v1, s[4:5]
	v_add_nc_u32_e32 v3, 0x800, v1
	global_load_async_to_lds_b128 v3, v1, s[4:5]
	s_wait_asynccnt 0x1
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_b128 v[4:7], v2
	s_wait_dscnt 0x0
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel async
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 40
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 128
    .name:           async
    .private_segment_fixed_size: 0
    .sgpr_count:     40
    .symbol:         async.kd
    .vgpr_count:     16
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--x
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata

title "Accesses before a loop of n rounds that only n above 10 reach"
launch groups=1 threads=64
expect race
__attribute__((reqd_work_group_size(64,1,1)))
kernel void k(global int *out, int n, int m) {
 local int s[64]; int l = get_local_id(0); int acc = 0;
 if (n > 10) { s[l] = acc; acc += s[63 - l]; } for (int i = 0; i < n; ++i) { barrier(CLK_LOCAL_MEM_FENCE); acc += s[63-l]; barrier(CLK_LOCAL_MEM_FENCE); }
 barrier(CLK_LOCAL_MEM_FENCE);
 out[l] = acc;
}

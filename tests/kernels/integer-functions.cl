title "Integer functions whose results are known: no work-item reaches the second barrier"
launch groups=1 threads=64
expect ok
kernel void integers(global int *out) {
  local int t[64];
  int l = get_local_id(0);
  uint u = l;
  t[63 - l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  bool differs = min(l, 9) != (l < 9 ? l : 9) || max(u, 9u) != (u > 9 ? u : 9);
  differs |= clamp(l - 20, -3, 8) != (l < 17 ? -3 : l > 28 ? 8 : l - 20);
  differs |= mul24(l, 5) != 5 * l || mad24(u, 3u, 7u) != 3 * u + 7 || mul_hi(u << 26, 128u) != u << 1;
  differs |= abs(l - 30) != (l < 30 ? 30 - l : l - 30) || abs_diff(l, 30) != abs(l - 30);
  differs |= hadd(l, 7) != (l + 7) / 2 || rhadd(u, 7u) != (u + 8) / 2;
  differs |= rotate(u, 8u) != u << 8 || rotate(u << 26, 6u) != u || popcount(u | 64u) != popcount(u) + 1;
  differs |= clz(u | 128u) != 24 || ctz(u << 3 | 64u) != (u & 7 ? 3 + ctz(u) : 6);
  differs |= bitselect(l, 5, 7) != ((l & ~7) | 5) || select(l, 4, 0) != l || select(l, 4, 1) != 4;
  differs |= convert_int((uchar)(l + 200)) != (l + 200) % 256 || convert_short((char)(l + 100)) != (l < 28 ? l + 100 : l - 156);
  differs |= upsample((ushort)l, (ushort)3) != l * 65536 + 3;
  if (differs)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[l] = t[l];
}

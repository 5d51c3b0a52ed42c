title "Two CTAs count in one element with the scope of a CTA"
launch ctas=2 threads=64
expect race
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)

define ptx_kernel void @count(ptr %total) {
  %old = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %total, i32 1)
  ret void
}

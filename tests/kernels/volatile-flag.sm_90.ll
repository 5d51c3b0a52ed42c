title "A thread waits for a volatile flag"
launch ctas=1 threads=64
expect ok
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ1kE4flag = internal addrspace(3) global i32 undef, align 4

; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @k(ptr noundef readnone captures(none) %0) local_unnamed_addr #0 {
  %2 = tail call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %4, label %5

4:                                                ; preds = %1
  store volatile i32 0, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE4flag to ptr), align 4, !tbaa !4
  br label %5

5:                                                ; preds = %4, %1
  tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %3, label %6, label %7

6:                                                ; preds = %5
  store volatile i32 1, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE4flag to ptr), align 4, !tbaa !4
  br label %7

7:                                                ; preds = %6, %5
  %8 = icmp eq i32 %2, 32
  br i1 %8, label %9, label %12

9:                                                ; preds = %7, %9
  %10 = load volatile i32, ptr addrspacecast (ptr addrspace(3) @_ZZ1kE4flag to ptr), align 4, !tbaa !4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %9, label %12, !llvm.loop !8

12:                                               ; preds = %9, %7
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2

attributes #0 = { convergent mustprogress noinline norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "nvvm.maxntid"="64" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx86,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }

!llvm.module.flags = !{!0, !1, !2}
!llvm.errno.tbaa = !{!4}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!2 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.mustprogress"}

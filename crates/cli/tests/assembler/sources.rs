//! Sources that clang compiles before they are judged. The tests need `clang-22`.

use crate::common::{Ran, Scratch, with_clang};

/// A sum by halves; `BODY` is what a round does.
const SUM: &str = "#include <KIT>
__global__ void __launch_bounds__(128) sum(const float *in, float *out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    BARRIER
  }
  if (t == 0) atomicAdd(out, s[0]);
}
int main() { sum<<<1, 128>>>(0, 0, 0); }
";

fn check(name: &str, text: &str) -> Ran {
    let file = Scratch::new(name, text.as_bytes());
    with_clang(&["check", file.path()], b"", "clang-22")
}

fn sum(kit: &str, barrier: &str) -> String {
    SUM.replace("KIT", kit).replace("BARRIER", barrier)
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn cuda_and_hip_are_judged_without_their_kits_and_for_every_argument() {
    for (name, kit) in [("sum.cu", "cuda_runtime.h"), ("sum.hip", "hip/hip_runtime.h")] {
        check(name, &sum(kit, "__syncthreads();")).exits(0).prints("compiled with: clang-22");
        let race = check(name, &sum(kit, "")).exits(1).prints("race[mem.race]");
        assert!(race.out.contains(":8:"), "the line of the source is named:\n{}", race.out);
    }
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn header_lines_above_a_source_choose_the_launch() {
    let kernel = "kernel void k(global int *a, local int *t, int n) {
  int i = get_local_id(0);
  t[i] = a[i];
  if (CONDITION) barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = t[63 - i];
}
";
    let of =
        |condition: &str| format!("launch items=64\n{}", kernel.replace("CONDITION", condition));
    check("k.cl", &of("n == n")).exits(0).prints("compiled with: clang-22");
    check("k.cl", &of("i < n")).exits(1).prints("opencl.barrier.all-encounter").prints("k.cl:5:");
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn a_variable_that_is_only_written_is_judged() {
    let header = "launch threads=64\n";
    let cuda = "__global__ void k() { __shared__ int last; last = threadIdx.x; }\n";
    check("k.cu", &format!("{header}{cuda}")).exits(1).prints("race[mem.race]").prints(" -O0 ");
    let opencl = "kernel void k() { local int last; last = get_local_id(0); }\n";
    check("k.cl", &format!("{header}{opencl}")).exits(1).prints("race[mem.race]").prints(" -O0 ");
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn a_source_that_clang_refuses_is_read_as_the_built_in_subset() {
    let text = "kernel void k(global int *a) { a[get_global_id(0)] = undeclared; }\n";
    check("k.cl", text).prints("warning[clang]").prints("undeclared");
}

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn a_whole_program_is_compiled_without_the_kit() {
    let text = r#"#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__global__ void mirror(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x] + warpSize;
  __syncthreads();
  a[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  std::vector<int> host(64);
  int *a;
  cudaDeviceProp of;
  cudaGetDeviceProperties(&of, 0);
  if (of.warpSize != 32 || cudaMalloc(&a, 256) != cudaSuccess) {
    return printf("%s", cudaGetErrorString(cudaGetLastError()));
  }
  mirror<<<1, 64>>>(a);
  cudaMemcpy(host.data(), a, min(256, 512), cudaMemcpyDeviceToHost);
}
"#;
    check("k.cu", text).exits(0).prints("compiled with: clang-22").prints("threads=64");
}

/// Kernels with their verdicts: the built-in compiler and clang agree.
const BOTH: [(&str, &str, &str, &str); 10] = [
    ("a.cu", "ok", "128", "s[t] = in[t]; __syncthreads(); out[t] = s[127 - t];"),
    ("a.cu", "race", "128", "s[t] = in[t]; out[t] = s[127 - t];"),
    (
        "a.hip",
        "ok",
        "128",
        "for (int i = 0; i < n; i++) { s[t] = in[t + i]; __syncthreads(); out[t] += s[t ^ 64]; __syncthreads(); }",
    ),
    (
        "a.hip",
        "race",
        "128",
        "for (int i = 0; i < n; i++) { s[t] = in[t + i]; __syncthreads(); out[t] += s[t ^ 64]; }",
    ),
    (
        "a.cu",
        "ok",
        "128",
        "if (t < 64) { s[t] = in[t]; __syncthreads(); } else { __syncthreads(); out[t] = s[t - 64]; }",
    ),
    (
        "a.cu",
        "deadlock",
        "128",
        "s[t] = in[t]; if (t < 64) asm volatile(\"bar.sync 1, 96;\"); out[t] = s[t];",
    ),
    (
        "a.hip",
        "ok",
        "64",
        "struct { int at; float v; } own[2] = {{t, 1}, {63 - t, 2}}; s[own[0].at] = own[1].v; __syncthreads(); out[t] = s[own[1].at];",
    ),
    ("a.hip", "race", "64", "int at = t; int *p = &at; *p ^= 32; s[t] = in[t]; out[t] = s[at];"),
    (
        "a.cu",
        "ok",
        "64",
        "unsigned char c = 200 + t; switch (n) { case 1: s[t] = c; break; default: s[t ^ 1] = c; } __syncthreads(); out[t] = s[(c - 200) & 31];",
    ),
    ("a.cu", "unknown", "64", "if (in[0] > 0) s[t] = in[t]; out[t] = s[63 - t];"),
];

#[test]
#[ignore = "needs LLVM 22: cargo xtask test assembler"]
fn the_built_in_compiler_and_clang_agree() {
    for (name, verdict, threads, body) in BOTH {
        let text = format!(
            "__global__ void __launch_bounds__({threads}) k(const float *in, float *out, int n) {{\n  \
             __shared__ float s[128];\n  int t = threadIdx.x;\n  {body}\n}}\n"
        );
        let file = Scratch::new(name, text.as_bytes());
        for clang in ["clang-22", ""] {
            let ran = with_clang(&["check", file.path()], b"", clang);
            let first = ran.out.lines().next().unwrap_or_default();
            assert!(first.ends_with(&format!(": {verdict}")), "{clang} {body}: {first}");
        }
    }
}

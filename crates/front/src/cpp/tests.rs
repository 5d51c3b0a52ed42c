use super::compile;
use crate::parse;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use tidegate_lang::compiled::language::Language;

const SUMS: &str = include_str!("../../../../tests/kernels/sums.sm_90.cu");
const PRODUCT: &str = include_str!("../../../../tests/kernels/product.gfx942.hip");

/// LLVM IR of a kernel of CUDA with this body.
fn code(body: &str) -> Vec<String> {
    let text = format!("__shared__ int s[64];\n__global__ void k(int *p, int n) {{ {body} }}\n");
    let written =
        compile(&text, None, &[]).unwrap_or_else(|error| panic!("{body}: {}", error.message));
    written.code.lines().map(String::from).collect()
}

fn error(text: &str) -> String {
    compile(text, None, &[]).expect_err("an error").message
}

/// What a kernel of CUDA stores at `p`.
fn stored(body: &str) -> Vec<String> {
    let lines = code(body);
    let stores = lines.iter().filter_map(|line| line.strip_prefix("store i32 "));
    stores.filter_map(|rest| Some(rest.split_once(',')?.0.into())).collect()
}

#[test]
fn numbers_have_the_widths_and_signs_of_the_language() {
    let constants = [
        ("-1 < 0u", "0"),
        ("(unsigned char)300", "44"),
        ("-7 / 2", "-3"),
        ("-7 >> 1", "-4"),
        ("0xffffffff > 0", "1"),
        ("(int)(4294967295u >> 31)", "1"),
        ("sizeof(int) == 4 && sizeof(long) == 8", "1"),
        ("'a' + 1", "98"),
        ("1 ? 2 : 3", "2"),
        ("010 + 0x10 + 0b11", "27"),
        ("sizeof(float4) + alignof(float4) + sizeof(dim3)", "44"),
    ];
    for (expression, value) in constants {
        assert_eq!(stored(&format!("*p = {expression};")), [value], "{expression}");
    }
}

#[test]
fn macros_are_expanded_once_and_conditions_decide() {
    let text = "#define A(x, ...) x + B(__VA_ARGS__)\n#define B(y) y##1 * A\n#define A1 5\n\
                #if defined(A) && (B_ + 1 == 1) || defined B_\n#define C 7\n#else\n#error no\n#endif\n\
                __global__ void k(int *p) { int A = 2; *p = C; }\n";
    let code = compile(text, None, &[]).unwrap().code;
    assert!(code.contains("store i32 7,"), "{code}");
    assert!(error("#if 1\n#error stop here\n#endif\n__global__ void k() {}").contains("stop here"));
}

#[test]
fn a_text_shows_its_language_and_its_processor() {
    let of = |text: &str| parse(text).target.map(|target| target.get().name);
    assert_eq!(of(SUMS), Some("sm_90"));
    assert_eq!(of(PRODUCT), Some("gfx942"));
    assert_eq!(of("#include <hip/hip_runtime.h>\n__global__ void k() {}\n"), Some("gfx1250"));
    assert!(
        !Language::Cpp.shows("// __global__")
            && !Language::Cpp.shows("__global__x")
            && Language::Cpp.shows("x __global__")
    );
}

#[test]
fn findings_have_the_places_of_the_text() {
    let scenario = parse(SUMS);
    assert!(scenario.diagnostics.is_empty(), "{:?}", scenario.diagnostics.first());
    let compiled = tidegate_lang::compile(&scenario).unwrap();
    let barrier = compiled.sources[0].iter().find(|source| source.text == "__syncthreads()");
    let line = SUMS.lines().position(|line| line == "  __syncthreads();").unwrap();
    assert_eq!(barrier.map(|source| source.span.line as usize), Some(line + 1));
    assert_eq!(compiled.buffer_names.first().map(String::as_str), Some("part"));
}

#[test]
fn an_error_has_a_place_and_says_what_is_not_read() {
    let cases = [
        ("__global__ void k() { int x = y; }", "`y` is not declared"),
        ("__global__ void k() { frobnicate(1); }", "`frobnicate` is not declared"),
        ("__global__ void k() { int *p = new int; }", "`new` is not read"),
        ("__global__ void k( { }", "`(` is not closed"),
        ("#include \"mine.h\"\n__global__ void k() { f(); }", "the header \"mine.h\" is not read"),
        ("__global__ void k() { break; }", "outside a loop"),
        (
            "struct A { __device__ virtual int f() { return 1; } };\n__global__ void k() {}",
            "virtual",
        ),
        (
            "struct A; struct A : A { int i; __device__ int f(); };\n__global__ void k(A *a) { a->i = 1; }",
            "base",
        ),
        (
            "__device__ int f(int); __device__ int f(float);\n__global__ void k() { int (*g)(int) = f; }",
            "address of a function",
        ),
        ("__global__ void k(int n) { for (int i = 0; i < n; i++ }", "closes nothing"),
    ];
    for (text, message) in cases {
        let found = compile(text, None, &[]).expect_err("an error");
        assert!(found.message.contains(message), "{text}: {}", found.message);
        assert!(found.span.line > 0 && (found.span.start as usize) < text.len(), "{text}");
    }
}

#[test]
fn specialisations_stand_for_instances() {
    let text = "template <int N> __device__ int f() { return N; }\n\
                template <> __device__ int f<2>() { return 20; }\n\
                template <class T> struct S { static const int at = 1; };\n\
                template <> struct S<float> { static const int at = 5; };\n\
                __global__ void k(int *p) { *p = S<float>::at; *p = S<int>::at; *p = f<2>() + f<3>(); }\n";
    let code = compile(text, None, &[]).unwrap_or_else(|error| panic!("{}", error.message)).code;
    for expected in ["store i32 5,", "store i32 1,", "ret i32 20", "ret i32 3"] {
        assert!(code.contains(expected), "{expected}: {code}");
    }
}

#[test]
fn headers_of_the_kits_are_known_in_every_folder() {
    let text = "#include \"../../common/inc/helper_math.h\"\n\
                __global__ void k(float4 *p) { p[0] = lerp(p[1], p[2], 0.5f) / length(p[3]); }\n";
    assert!(compile(text, None, &[]).is_ok(), "{}", error(text));
    let own =
        "typedef unsigned long long uint;\n__global__ void k(int *p) { *p = sizeof(uint); }\n";
    let code = compile(own, None, &[]).unwrap().code;
    assert!(code.contains("store i32 8,"), "{code}");
}

#[test]
fn code_of_the_host_is_skipped() {
    let text = "#include <vector>\nstruct Timer { std::chrono::clock t; void f() { g(); } };\n\
                std::vector<int> all; int count = f();\nvoid check(cudaError_t e) { throw e; }\n\
                template <class T> T host(std::vector<T> v) { return v[0]; }\n\
                __global__ void k(int *p) { *p = 1; }\nint main() { k<<<1, 1>>>(all.data()); }\n";
    assert!(compile(text, None, &[]).is_ok(), "{}", error(text));
}

#[test]
fn texts_with_bytes_cut_or_changed_never_stop_the_reader() {
    let mut random = 11_u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    let own = "template <int N, class T = int> struct S { T a[N]; __device__ T &at(int i) { return a[i]; } };\n\
               enum class E { A, B = 4 }; union U { int i; float f; };\n\
               __global__ void k(int *p, E e) { S<4> s; auto f = [&](int i) { return s.at(i); };\n\
               switch ((int)e) { case 1: p[0] = f(1); break; default: goto end; }\nend: U u = {1};\n\
               asm volatile(\"bar.sync %0;\" :: \"r\"(1) : \"memory\"); p[u.i] >>= sizeof(S<8>) ? 1 : 2; }\n";
    for text in [SUMS, PRODUCT, own] {
        for _ in 0..150 {
            let mut changed = String::from(text);
            for _ in 0..=next(3) {
                let at = next(changed.len());
                if !changed.is_char_boundary(at) {
                    continue;
                }
                match next(3) {
                    0 => changed.truncate(at),
                    1 => {
                        changed.insert_str(at, ["(", "<", "{", "#", "\"", "* ", "::", "'"][next(8)])
                    }
                    _ => drop(changed.remove(at.min(changed.len() - 1))),
                }
                if changed.is_empty() {
                    break;
                }
            }
            if let Err(error) = compile(&changed, None, &[]) {
                assert!(error.span.start as usize <= changed.len(), "{}", error.message);
            }
        }
    }
}

#[test]
fn long_and_deep_texts_end() {
    let wrapped = |body: String| format!("__global__ void k(int *p) {{ {body} }}\n");
    let deep = |open: &str, close: &str| open.repeat(20_000) + "1" + &close.repeat(20_000);
    let texts = vec![
        wrapped(format!("*p = {};", deep("(", ")"))),
        wrapped(deep("{", "}")),
        wrapped(format!("*p = {};", "-".repeat(60_000))),
        wrapped(format!("*p = {}1;", "1 ? 2 : ".repeat(30_000))),
        wrapped("if (p) {} else ".repeat(20_000) + ";"),
        wrapped(format!("int {}p;", "*".repeat(50_000))),
        wrapped(format!("*p = {}1;", "1 + ".repeat(100_000))),
        format!(
            "{}{}",
            "#define A0 1 + 1\n#define A1 A0 A0\n#define A2 A1 A1\n#define A3 A2 A2\n",
            {
                let more = (4..40).map(|n| format!("#define A{n} A{0} + A{0}\n", n - 1));
                more.collect::<String>() + &wrapped("*p = A39;".into())
            }
        ),
        format!(
            "template <int N> __device__ int f() {{ return f<N + 1>() + f<N + 2>(); }}\n{}",
            wrapped("*p = f<0>();".into())
        ),
        format!("{}__global__ void k() {{}}\n", "struct A { ".repeat(10_000)),
        "template <".repeat(30_000) + "__global__ void k() {}",
        wrapped("auto f = [=](int a) { return a; };".repeat(5_000)),
        wrapped("auto f = [&](auto g) { g(g); g(g); }; f(f);".into()),
        wrapped(format!("{}1{}", "[&] { ".repeat(5_000), "; }".repeat(5_000))),
        wrapped("switch (*p) { ".to_owned() + &"case 1: ".repeat(50_000) + "; }"),
        wrapped("asm volatile(\"\"".to_owned() + &":".repeat(50_000) + ");"),
        "#include <cooperative_groups.h>\n".repeat(20_000) + "__global__ void k() {}",
    ];
    for text in texts {
        let _ = compile(&text, None, &[]);
    }
}

#[test]
fn what_an_expression_does_only_under_a_condition_is_under_a_branch() {
    let bodies = [
        "int i = n; n > 3 && i--; *p = i;",
        "int i = n; n > 3 ? i = 1 : i = 2; *p = i;",
        "int i = n; n > 3 || (i += 2); *p = i;",
    ];
    for body in bodies {
        let lines = code(body);
        let change = lines.iter().rposition(|line| line.starts_with("%i.")).unwrap();
        let branch = lines.iter().position(|line| line.starts_with("br i1")).unwrap();
        assert!(branch < change, "{body}: {lines:?}");
    }
}

#[test]
fn the_right_side_of_an_assignment_is_evaluated_first() {
    let lines = code("int i = n; s[i++] = i; s[1] = p[0];");
    let at = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
    assert!(at("add i32") < at("store i32"));
    let value = lines[at("store i32")].split([' ', ',']).nth(2).unwrap();
    let read = at(&format!("{value} = freeze"));
    assert!(read < at("add i32"), "{lines:?}");
}

#[test]
fn arguments_of_library_functions_are_read() {
    let text =
        "__shared__ float f[64]; __global__ void k(float *p) { *p = fmaf(f[1], f[2], p[3]); }";
    let code = compile(text, None, &[]).unwrap().code;
    assert_eq!(code.matches(" = load float").count(), 3, "{code}");
}

#[test]
fn a_lambda_sees_the_variables_of_its_definition() {
    let constants = [
        ("const int x = 3; auto f = [&]() { return x; }; { const int x = 5; *p = f(); }", "result"),
        ("auto f = [](int a) { return a; }; *p = f(4);", "result"),
    ];
    for (body, name) in constants {
        assert!(stored(body)[0].contains(name), "{body}");
    }
    let lines = code("int x = n; auto f = [=]() { return x; }; x = 7; *p = f();");
    let result = lines.iter().find(|line| line.starts_with("%result")).unwrap();
    let copy = result.rsplit(' ').next().unwrap();
    let made = lines.iter().position(|line| line.starts_with(copy)).unwrap();
    let changed = lines.iter().position(|line| line.ends_with("freeze i32 7")).unwrap();
    assert!(made < changed, "{lines:?}");
}

#[test]
fn a_template_calls_the_lambda_that_it_receives() {
    let text = "template <class F> __device__ void each(int n, const F &f) { for (int i = 0; i < n; i++) f(i); }\n\
                __global__ void k(int *p) { int t = threadIdx.x; each(4, [&](int i) { p[i * 4] = t; }); }";
    let code = compile(text, None, &[]).unwrap().code;
    assert_eq!(
        (code.matches("define ").count(), code.matches("store i32").count()),
        (1, 1),
        "{code}"
    );
}

#[test]
fn a_static_variable_of_a_function_is_in_global_memory() {
    let lines = code("static int calls = 0; calls++; *p = calls;");
    assert!(lines.iter().any(|line| line.starts_with("@calls = addrspace(1) global i32")));
}

#[test]
fn names_that_namespaces_keep_apart_are_an_error() {
    let functions = "namespace a { __device__ int f() { return 1; } } namespace b { __device__ int f() { return 2; } }\n\
                     __global__ void k(int *p) { *p = a::f(); }";
    assert!(error(functions).contains("a second definition of `f`"));
    let structures = "namespace a { struct S { int x; }; } namespace b { struct S { float x, y; }; }\n\
                      __global__ void k(int *p) { *p = sizeof(a::S); }";
    assert!(error(structures).contains("a second definition of `S`"));
}

#[test]
fn a_header_is_read_and_its_functions_have_the_positions_of_their_calls() {
    let headers = [
        ("a.h", "#pragma once\n#include \"b.h\"\n__device__ void meet() { __syncthreads(); }\n"),
        ("b.h", "#include \"a.h\"\n#define TWO 2\n"),
    ];
    let headers = headers.map(|(name, text)| tidegate_lang::launching::Header {
        name: name.into(),
        text: text.into(),
    });
    let text = "#include \"a.h\"\n#include \"b.h\"\n__global__ void k(int *p) {\n  *p = TWO;\n  meet();\n  meet();\n}\n";
    let written = compile(text, None, &headers).unwrap();
    let lines = (1..).zip(written.code.lines());
    let barriers = lines.filter(|(_, line)| line.contains("barrier")).map(|(at, _)| at);
    let mut found: Vec<u32> = barriers.filter_map(|at| Some(written.lines.at(at)?.line)).collect();
    found.sort_unstable();
    assert_eq!(found, [5, 6]);
    let wrong = [tidegate_lang::launching::Header {
        name: "a.h".into(),
        text: "int x;\n__device__ 5;\n".into(),
    }];
    let error = compile(text, None, &wrong).expect_err("an error");
    assert!(error.message.starts_with("a.h:2: ") && error.span.line == 1, "{}", error.message);
}

#[test]
fn a_call_whose_result_has_a_type_of_a_header_has_its_own_position() {
    let text = "#include <cuda/barrier>\nusing barrier = cuda::barrier<cuda::thread_scope_block>;\n\
        __global__ void k() {\n  __shared__ barrier full[2];\n  init(&full[0], 1);\n\
        \x20 barrier::arrival_token token = full[0].arrive();\n}\n";
    let written = compile(text, None, &[]).unwrap();
    let lines = (1..).zip(written.code.lines());
    let arrives =
        lines.filter(|(_, line)| line.contains("mbarrier.arrive") && line.contains("call"));
    let found: Vec<u32> = arrives.filter_map(|(at, _)| Some(written.lines.at(at)?.line)).collect();
    assert_eq!(found, [6], "{}", written.code);
}

#[test]
fn templates_of_members_and_types_of_structures_are_found() {
    let text = "template <int N> struct Box { typedef unsigned word; word all[N];\n\
                __device__ word size() const { return N; }\n\
                template <class T> __device__ T at(int i, T other) { return i < N ? (T)all[i] : other; } };\n\
                __global__ void k(int *p) { Box<4> box; *p = box.at(p[1], 2L) + box.at<int>(1, 3) + box.size(); }";
    let code = compile(text, None, &[]).unwrap().code;
    assert_eq!(code.matches("define ").count(), 4, "{code}");
}

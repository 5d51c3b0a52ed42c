//! The formatter on real scenarios and on edge cases.
use std::path::PathBuf;

fn fixtures() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn fixtures_are_already_formatted() {
    for (path, text) in fixtures() {
        assert_eq!(tidegate_lang::format(&text).expect("readable"), text, "{}", path.display());
    }
}

fn check(text: &str, expected: &str) {
    let once = tidegate_lang::format(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    assert_eq!(once, expected);
    assert_eq!(tidegate_lang::format(&once).expect("readable"), once, "a second time");
}

#[test]
fn blocks_and_statements() {
    check("", "");
    check("\n\n  # only a comment\n\n\n", "# only a comment\n");
    check("wave 0{arrive wg;wait wg;}", "wave 0 {\n  arrive wg; wait wg\n}\n");
    check(
        "wave 0 { s_branch   .LBB0_2\n.LBB0_2: }",
        "wave 0 {\n  s_branch .LBB0_2\n  .LBB0_2:\n}\n",
    );
    check("wave 0\n{\n\n}\n\n\n\nwave 1 {exit}", "wave 0 { }\n\nwave 1 {\n  exit\n}\n");
    check(
        "wave 0 {\n if wave_id==0{exit}\n else if 1 {}\n  else\n{ exit }\n}",
        "wave 0 {\n  if wave_id == 0 {\n    exit\n  } else if 1 { } else {\n    exit\n  }\n}\n",
    );
    check(
        "func f(b) {\nrepeat 2 { exit } { exit }\n{ exit } }",
        "func f(b) {\n  repeat 2 {\n    exit\n  }\n  {\n    exit\n  }\n  {\n    exit\n  }\n}\n",
    );
    check(
        "wave 0 {\nwait wg\n{ exit }\nL:\n{ exit } }",
        "wave 0 {\n  wait wg\n  {\n    exit\n  }\n  L: {\n    exit\n  }\n}\n",
    );
    check(
        "kernel { choose{arrive wg}\nor { wait wg } }",
        "kernel {\n  choose {\n    arrive wg\n  } or {\n    wait wg\n  }\n}\n",
    );
}

#[test]
fn statements_of_c() {
    check(
        "kernel  void f( global int*x ) {for(int i=0;i<4;++i){ barrier(0) ; }\n int j = 3 ,k=1;\n j ++; --k\ndo{ j-=1 }\nwhile(j>0);\nreturn;}",
        "kernel void f( global int*x ) {\n  for (int i = 0; i < 4; ++i) {\n    barrier(0);\n  }\n  int j = 3, k = 1;\n  j++; --k\n  do {\n    j -= 1\n  } while (j > 0);\n  return;\n}\n",
    );
    check(
        "int twice(int x)\n{return x*2;}\nkernel void k(global int *in) {\nint i = 0;int t[2]={1,2};; // both\nint s=in[i] ; in [0]=in[ 1 ];\nfor (;i<3;i++);\nfor (int j=0;j<2;j++) { barrier(0) ; };\nif (i) return ;\nelse\n  s=in [2] ; }",
        "int twice(int x) {\n  return x * 2;\n}\nkernel void k(global int *in) {\n  int i = 0; int t[2] = { 1, 2 };  // both\n  int s = in[i]; in[0] = in[1];\n  for (; i < 3; i++);\n  for (int j = 0; j < 2; j++) {\n    barrier(0);\n  }\n  if (i) return;\n  else\n    s = in[2];\n}\n",
    );
    check(
        "kernel void k(global int *h) {\nglobal int*p=& h[1]; *p=- 1\nint x=*p*2&h[0] ; }",
        "kernel void k(global int *h) {\n  global int *p = &h[1]; *p = -1\n  int x = *p * 2 & h[0];\n}\n",
    );
    check("func f(a) { exit; }", "func f(a) {\n  exit\n}\n");
    check(
        "target sm_90\nwave 0 {\n.L_x_0 :\nexit }",
        "target sm_90\nwave 0 {\n  .L_x_0:\n  exit\n}\n",
    );
    check(
        "kernel {\nif (get_local_id(0)==0)\nreturn;\nelse\n   barrier( 0 )\nif (1) exit; else if(2)\nfor (;;)\nexit\nexit\nlet x = 2--1\nx = --x }",
        "kernel {\n  if (get_local_id(0) == 0)\n    return\n  else\n    barrier( 0 )\n  if (1) exit; else if (2)\n    for (;;)\n      exit\n  exit\n  let x = 2-- 1\n  x = --x\n}\n",
    );
}

#[test]
fn comments_are_kept() {
    check(
        "target gfx1250   # the target\r\nwave 0 {// open\n\n\n  arrive wg# a\n  # b\n\n\n  wait wg\n  // last\n\n} # close\n# end",
        "target gfx1250  # the target\nwave 0 {  // open\n  arrive wg  # a\n  # b\n\n  wait wg\n  // last\n}  # close\n# end\n",
    );
    check(
        "wave 0 # who\n\n{ exit }\nwave 1 {\n  if 1 { exit }\n  # between\n  else { }\n}",
        "wave 0  # who\n{\n  exit\n}\nwave 1 {\n  if 1 {\n    exit\n  }\n  # between\n  else { }\n}\n",
    );
}

#[test]
fn expressions_and_headers() {
    check("launch waves = 2   workgroups=4", "launch waves=2 workgroups=4\n");
    check("reading amd.A6 = no-op", "reading amd.A6=no-op\n");
    check(
        "expect gfx6-gfx11 ,gfx12.0:ok  amd.drop.race",
        "expect gfx6-gfx11, gfx12.0: ok amd.drop.race\n",
    );
    check("workgroup 0 - 1 wave * lane 0-3{}", "workgroup 0-1 wave * lane 0-3 { }\n");
    check(
        "barrier n=named( -1 )\nlds t [ 64 ]\nconst k=1+2*-3",
        "barrier n = named(-1)\nlds t[64]\nconst k = 1 + 2 * -3\n",
    );
    check(
        "kernel { let x=-1\nx+=- x*( 2-1 )\nfor i in -1 .. 3 { s_barrier_signal - 1 }\nL : s_branch L\narrive wg , expected = 2\nx=arrive.isfirst wg\nx = x?1:!x }",
        "kernel {\n  let x = -1\n  x += -x * (2 - 1)\n  for i in -1..3 {\n    s_barrier_signal -1\n  }\n  L: s_branch L\n  arrive wg, expected=2\n  x = arrive.isfirst wg\n  x = x ? 1 : !x\n}\n",
    );
    check(
        "func f(a,b){call f( a ,b+1 )}\nkernel{s_waitcnt vmcnt(0)&lgkmcnt(0)\nif (1) { s_waitcnt_vscnt null,0x0 }}",
        "func f(a, b) {\n  call f(a, b + 1)\n}\nkernel {\n  s_waitcnt vmcnt(0) & lgkmcnt(0)\n  if (1) {\n    s_waitcnt_vscnt null, 0x0\n  }\n}\n",
    );
    check(
        "lds d[8]\nglobal s[8]\nkernel{async_load d [0..8]<-s[ 0 .. 8 ]\ncall  void @llvm.amdgcn.s.barrier.signal(i32 -1)\nlocal<work_group_named_barrier>  y(4)\ny.wait( 0 )\n}",
        "lds d[8]\nglobal s[8]\nkernel {\n  async_load d[0..8] <- s[0..8]\n  call void @llvm.amdgcn.s.barrier.signal(i32 -1)\n  local<work_group_named_barrier> y(4)\n  y.wait( 0 )\n}\n",
    );
}

#[test]
fn instructions_of_nvidia_keep_their_own_layout() {
    let elects = "target sm_90\nlaunch warps=1\nkernel {\n  elect.sync %r1|%p1, 0xffffffff\n}\n";
    check(elects, elects);
    check(
        "mbarrier b\nkernel{L:  mbarrier.try_wait.parity.shared::cta.b64  p, [b],  (k&1)^1\n@!p  bra L\nSYNCS.CCTL.IV  [b]  {!2,+1.W};\n}",
        "mbarrier b\nkernel {\n  L: mbarrier.try_wait.parity.shared::cta.b64 p, [b], (k&1)^1\n  @!p bra L\n  SYNCS.CCTL.IV [b] {!2,+1.W}\n}\n",
    );
}

#[test]
fn the_gallery_is_formatted() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenarios: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "tide"))
        .collect();
    assert!(scenarios.len() > 20, "{scenarios:?}");
    let wrong = scenarios.into_iter().filter(|path| {
        let text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
        tidegate_lang::format(&text).as_ref() != Ok(&text)
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "`tidegate fmt` lays these out otherwise: {wrong:?}");
}

#[test]
fn invalid_text_stays_unchanged() {
    let errors = tidegate_lang::format("wave 0 {").unwrap_err();
    assert_eq!(errors[0].code, "open-block");
}

#[test]
fn metadata_has_a_name() {
    for text in ["!{=x", "!=x", "!\"a\"=x"] {
        assert!(tidegate_lang::format(text).is_err(), "{text}");
    }
    check("!0 = !{!\"a\"}", "!0 = !{!\"a\"}\n");
}

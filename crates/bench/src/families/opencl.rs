//! OpenCL: named barriers, reductions, and races across groups.

use crate::case::{Case, Goal};

/// C: the example of named barriers of the specification, with more sub-groups; and with a wrong count.
pub(super) fn named_barriers() -> Vec<Case> {
    let example = |groups: u32, count: u32| {
        let text = format!(
            "target opencl\nlaunch subgroups={groups}\nkernel {{\n\
             \x20 local<work_group_named_barrier> a({count})\n  local<work_group_named_barrier> b(2)\n  local<work_group_named_barrier> c(2)\n\
             \x20 if get_sub_group_id() < 4 {{\n    a.wait(mem_fence::local)\n    if get_sub_group_id() < 2 {{\n      repeat 3 {{ b.wait(mem_fence::global) }}\n\
             \x20   }} else {{\n      c.wait(mem_fence::local)\n    }}\n    a.wait(mem_fence::global)\n  }}\n\
             \x20 work_group_barrier(mem_fence::global)\n}}\n"
        );
        let (name, verdict) = if count == 4 { ("", "ok") } else { (" count", "deadlock") };
        let case = Case::new("C", format!("{groups} sub-groups{name}"), text, verdict);
        let steps = u64::from(4 * 6 + 2 * groups + 8);
        if count == 4 { case.goals(&[Goal::States(2 * steps)]) } else { case }
    };
    let kept = [4, 8, 12, 16, 32].map(|groups| example(groups, 4));
    [kept.to_vec(), vec![example(8, 3)]].concat()
}

/// R: a reduction by halves in local memory.
pub(super) fn reductions() -> Vec<Case> {
    let reduction = |items: u32| {
        let text = format!(
            "target opencl\nlaunch groups=1 items={items}\nkernel void sum(global const int *in, global int *out) {{\n\
             \x20 local int t[{items}];\n  int i = get_local_id(0);\n  t[i] = in[get_global_id(0)];\n\
             \x20 for (int s = {items} / 2; s > 0; s /= 2) {{\n    barrier(CLK_LOCAL_MEM_FENCE);\n    if (i < s) t[i] += t[i + s];\n  }}\n\
             \x20 if (i == 0) out[get_group_id(0)] = t[0];\n}}\n"
        );
        let goals: &[Goal] = if items == 1024 { &[Goal::Units(0.3)] } else { &[] };
        Case::new("R", format!("{items} items"), text, "ok").goals(goals)
    };
    [64, 256, 1024].map(reduction).to_vec()
}

/// X: items of two groups that write the same element.
pub(super) fn across_groups() -> Vec<Case> {
    let race = |items: u32| {
        let text = format!(
            "target opencl\nlaunch groups=2 items={items}\nkernel void k(global int *out) {{ out[get_local_id(0)] = get_group_id(0); }}\n"
        );
        let goals: &[Goal] = if items == 512 { &[Goal::Units(0.5)] } else { &[] };
        Case::new("X", format!("2 groups x {items} items"), text, "race").goals(goals)
    };
    [64, 256, 512].map(race).to_vec()
}

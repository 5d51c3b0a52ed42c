use super::*;
use crate::operation::Mnemonic;
use crate::target::TargetId;

fn on(target: &str, action: Action, form: Form) -> Option<&'static str> {
    let target = TargetId::from_name(target).unwrap().get();
    check(&Operation::new(action, form), target, Readings::default()).map(|rule| rule.get().id)
}

fn arrive(object: Object) -> Action {
    Action::Arrive { object, expected: None, is_first: false }
}

#[test]
fn objects_by_target() {
    const OBJECT: Option<&str> = Some("amd.object.unsupported");
    let cases = [
        (Object::Workgroup, [None, None, None, None]),
        (Object::Plain(0), [OBJECT, None, None, None]),
        (Object::Named(1), [OBJECT, OBJECT, None, None]),
        (Object::Null, [OBJECT, OBJECT, None, None]),
        (Object::Cluster, [OBJECT, OBJECT, None, None]),
        (Object::Outside(17), [OBJECT; 4]),
        (Object::Trap(-2), [Some("amd.operation.privileged"); 4]),
    ];
    for (object, wanted) in cases {
        let got = ["gfx1100", "gfx1200", "gfx1250", "model"]
            .map(|target| on(target, arrive(object), Form::Word));
        assert_eq!(got, wanted, "{object:?}");
    }
}

#[test]
fn operations_by_target() {
    const OPERATION: Option<&str> = Some("amd.operation.unsupported");
    let init = |object| Action::Init { object, expected: 2 };
    assert_eq!(on("gfx1250", init(Object::Workgroup), Form::Word), OPERATION);
    assert_eq!(on("model", init(Object::Workgroup), Form::Word), None);
    assert_eq!(on("gfx1250", Action::Drop { object: Object::Cluster }, Form::Word), OPERATION);
    assert_eq!(on("gfx1200", Action::Leave, Form::Word), OPERATION);
    assert_eq!(on("gfx1250", Action::Leave, Form::Word), None);
    assert_eq!(
        on("gfx1250", arrive(Object::Workgroup), Form::Machine(Mnemonic::SBarrier)),
        OPERATION
    );
    assert_eq!(on("gfx942", arrive(Object::Workgroup), Form::Machine(Mnemonic::SBarrier)), None);
    assert_eq!(on("sm_90", arrive(Object::Workgroup), Form::Word), OPERATION);
    let arrive = Action::Arrive { object: Object::Cluster, expected: None, is_first: true };
    let first = Operation::new(arrive, Form::Word);
    let target = TargetId::from_name("gfx1250").unwrap().get();
    assert_eq!(check(&first, target, Readings::default()), None);
    assert!(check(&first, target, Readings::default().with(ReadingId::AmdA14, 1)).is_some());
}

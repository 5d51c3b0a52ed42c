use super::*;
use alloc::format;
use alloc::vec;
use proptest::collection::vec as many;
use proptest::option;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const HAND_OFF: &str = "title \"Hand one tile from a producer to a consumer\"
note \"The consumer joins before the workgroup barrier, the producer arrives after it: the join executes before an operation that completes the wait.\"
target gfx1250
launch waves=2
barrier ready = named(1)

wave 0 {
  init ready, 1
  arrive wg; wait wg
  arrive ready
}
wave 1 {
  arrive wg; wait wg
  join ready
  wait ready
}

expect ub amd.join.before-wait
";

fn report() -> Shared {
    let mut steps = Vec::new();
    for ordinal in 0..12 {
        for wave in 0..4 {
            steps.push(format!("0.{wave}:{ordinal}"));
        }
    }
    Shared {
        text: HAND_OFF.into(),
        target: Some("gfx1251".into()),
        steps,
        engine: "0.1.0".into(),
        verdict: Some("ub amd.join.before-wait".into()),
        readings: Vec::new(),
        panels: "relations schedules".into(),
    }
}

#[test]
fn a_typical_report_stays_short() {
    let link = encode(&report());
    assert!(link.len() < 600, "{} characters", link.len());
    assert_eq!(decode(&link), Ok(report()));
}

#[test]
fn a_link_that_is_not_packed_says_the_same() {
    assert_eq!(decode(&encode_plain(&report())), Ok(report()));
    let long = Shared { text: "# \u{2026}\n".repeat(40_000), ..report() };
    assert!(encode_plain(&long).len() > 2 * usize::from(u16::MAX), "several blocks");
    assert_eq!(decode(&encode_plain(&long)), Ok(long));
}

/// A link from the first version of the format, with another compressor and an unknown field. It must open in every
/// version.
#[test]
fn the_first_link_still_opens() {
    const FIRST: &str = "#v1.eNpjtClJLEpPLVFIT6swNDI14MpJLM1LzlAoTyxLLbY14gLRCloK1QqJRUWZQGZ5ujVQLrMEyFCo5WJiB2szMGDmY2BgYGFgZGBhZGRmyshkYTXQM9QzYGXKz-ZkzUksSS0CAFwjGyo";
    let first = Shared {
        text: "target gfx1250\nlaunch waves=2\nwave * { arrive wg; wait wg }\n".into(),
        target: Some("gfx1200".into()),
        steps: ["0.0:0", "0.1:0", "0.0:1", "0.1:1", "0.0:2/1", "hi"].map(String::from).into(),
        engine: "0.1.0".into(),
        verdict: Some("ok".into()),
        readings: Vec::new(),
        panels: String::new(),
    };
    assert_eq!(decode(FIRST), Ok(first));
}

#[test]
fn urls_fragments_and_white_space_are_taken() {
    let shared = report();
    let fragment = encode(&shared);
    let bare = fragment.trim_start_matches('#');
    for link in [
        fragment.clone(),
        bare.into(),
        format!("https://example.org/tidegate/?embed{fragment}"),
        format!("  file:///x/index.html{fragment}\n"),
        format!("{fragment}&panel=state"),
    ] {
        assert_eq!(decode(&link).as_ref(), Ok(&shared), "{link}");
    }
}

#[test]
fn text_without_a_link_is_an_error() {
    for link in [
        "",
        "#",
        "v",
        "v.",
        "vx.AA",
        "https://example.org/",
        "https://example.org/#rules",
        "#v1",
        "#v9999999999.AA",
        "#w1.AA",
    ] {
        assert_eq!(decode(link), Err(LinkError::NotALink), "{link}");
    }
    assert_eq!(decode("#v2.AAAA"), Err(LinkError::UnknownVersion(2)));
    assert_eq!(decode("#v1."), Err(LinkError::Damaged));
}

#[test]
fn every_truncation_is_damage() {
    let link = encode(&report());
    for length in "#v1.".len()..link.len() {
        assert_eq!(decode(&link[..length]), Err(LinkError::Damaged), "{length}");
    }
}

#[test]
fn every_changed_character_is_noticed() {
    let link = encode(&report());
    for place in "#v1.".len()..link.len() {
        let other = if link.as_bytes()[place] == b'A' { "B" } else { "A" };
        let mut changed = link.clone();
        changed.replace_range(place..=place, other);
        assert!(decode(&changed).is_err(), "{place}");
    }
}

#[test]
fn a_payload_without_text_is_damage() {
    let mut payload = Vec::new();
    push_text(&mut payload, tag::ENGINE, "0.1.0");
    assert_eq!(decode(&packed(&payload)), Err(LinkError::Damaged));
}

#[test]
fn fields_of_later_writers_are_left_aside() {
    let mut payload = Vec::new();
    push_field(&mut payload, 99, &[0xff; 300]);
    push_text(&mut payload, tag::TEXT, "wave 0 { }");
    push_field(&mut payload, 1 << 40, b"");
    assert_eq!(
        decode(&packed(&payload)),
        Ok(Shared { text: "wave 0 { }".into(), ..Shared::default() })
    );
}

#[test]
fn text_is_capped_exactly() {
    let mut shared = Shared { text: "#".repeat(MAX_TEXT), ..Shared::default() };
    assert!(decode(&encode(&shared)).is_ok());
    shared.text.push('#');
    assert_eq!(decode(&encode(&shared)), Err(LinkError::TooLarge));
}

#[test]
fn a_bomb_is_not_unpacked() {
    let bomb = packed(&vec![0; 64 << 20]);
    assert!(bomb.len() < MAX_PACKED);
    assert_eq!(decode(&bomb), Err(LinkError::TooLarge));
    assert_eq!(decode(&format!("#v1.{}", "A".repeat(MAX_PACKED + 1))), Err(LinkError::TooLarge));
}

fn packed(payload: &[u8]) -> String {
    let mut link = String::from("#v1.");
    base64::encode(&compress_to_vec_zlib(payload, 1), &mut link);
    link
}

fn shared() -> impl Strategy<Value = Shared> {
    let key = (0u32..3, 0u32..4, 0u32..6, option::of(0u32..3)).prop_map(
        |(workgroup, wave, ordinal, alternative)| {
            alternative.map_or_else(
                || format!("{workgroup}.{wave}:{ordinal}"),
                |alternative| format!("{workgroup}.{wave}:{ordinal}/{alternative}"),
            )
        },
    );
    let step = prop_oneof![4 => key, 1 => any::<String>()];
    (
        any::<String>(),
        option::of(any::<String>()),
        many(step, 0..40),
        any::<String>(),
        option::of(any::<String>()),
        many(any::<String>(), 0..4),
        any::<String>(),
    )
        .prop_map(|(text, target, steps, engine, verdict, readings, panels)| Shared {
            text,
            target,
            steps,
            engine,
            verdict,
            readings,
            panels,
        })
}

#[test]
fn a_character_too_many_is_noticed() {
    for text in ["", "x", "xy", HAND_OFF] {
        let link = encode(&Shared { text: text.into(), ..report() });
        for more in ["A", "AA", "AAAA", "B", "w", "-", "_", "x7", "AAAAAAAA", ".", ")"] {
            assert_eq!(
                decode(&format!("{link}{more}")),
                Err(LinkError::Damaged),
                "{text:?} {more}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(0x6c69_6e6b), ..ProptestConfig::default() })]

    #[test]
    fn shared_contents_round_trip(shared in shared()) {
        prop_assert_eq!(decode(&encode(&shared)), Ok(shared));
    }

    #[test]
    fn arbitrary_text_never_panics(link in any::<String>(), rest in "[A-Za-z0-9_-]{0,200}") {
        let _ = decode(&link);
        let _ = decode(&format!("#v1.{rest}"));
    }

    #[test]
    fn arbitrary_payloads_never_panic(payload in many(any::<u8>(), 0..200)) {
        if let Ok(shared) = read(&payload) {
            prop_assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
    }

    #[test]
    fn arbitrary_steps_never_panic(packed in many(any::<u8>(), 0..100)) {
        if let Ok(keys) = steps::unpack(&packed) {
            prop_assert_eq!(steps::unpack(&steps::pack(&keys)), Ok(keys));
        }
    }
}

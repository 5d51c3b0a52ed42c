use super::*;

/// The words that initialisation writes; the word for 32 is in `sass-syncs`.
const INITIAL: [(u32, u64); 7] = [
    (1, 0x7fff_f800_001f_fffe),
    (2, 0x7fff_f000_001f_fffc),
    (4, 0x7fff_e000_001f_fff8),
    (32, 0x7fff_0000_001f_ffc0),
    (128, 0x7ffc_0000_001f_ff00),
    (1024, 0x7fe0_0000_001f_f800),
    (MOST, 0x0000_0800_0000_0002),
];

#[test]
fn initial_words_are_as_documented() {
    for (count, word) in INITIAL {
        assert_eq!(initial(count), Some(word), "{count}");
        for layout in Layout::ALL {
            let fields = Fields { pending: count, expected: count, ..Fields::default() };
            assert_eq!(decode(layout, word), fields);
            assert_eq!(encode(layout, fields), word);
        }
    }
    assert_eq!((initial(0), initial(MOST + 1)), (None, None));
}

/// Words that look random, and all with few bits set or clear.
fn words() -> impl Iterator<Item = u64> {
    let mut state = 1_u64;
    let random = (0..20_000).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    });
    let two = (0..64).flat_map(|a| (0..64).map(move |b| 1_u64 << a | 1 << b));
    random.chain(two.flat_map(|word| [word, !word])).chain([0, u64::MAX])
}

#[test]
fn every_word_decodes_and_encodes_back() {
    for word in words() {
        for layout in Layout::ALL {
            assert_eq!(encode(layout, decode(layout, word)), word, "{word:016x} {layout:?}");
            assert_eq!(describe(layout, word).len(), 5);
        }
    }
}

#[test]
fn every_value_of_every_field_round_trips() {
    for layout in Layout::ALL {
        for count in 0..=MOST {
            let pending = Fields { pending: count, expected: 7, ..Fields::default() };
            let expected = Fields { pending: 7, expected: count, parity: true, ..pending };
            for fields in [pending, expected] {
                assert_eq!(decode(layout, encode(layout, fields)), fields);
            }
        }
        for tx_bits in 0..1 << 22 {
            let fields = Fields { tx_bits, bit_0: tx_bits & 1 != 0, ..Fields::default() };
            assert_eq!(decode(layout, encode(layout, fields)), fields);
        }
    }
}

#[test]
fn tx_counts_are_signed() {
    for tx in [0, 1, -1, 256, MOST as i32, -(MOST as i32)] {
        assert_eq!(Fields::default().with_tx(tx).tx_low(), tx);
    }
}

#[test]
fn the_last_arrival_flips_the_phase_under_both_layouts() {
    for layout in Layout::ALL {
        let word = initial(2).unwrap();
        let one = step(layout, word, Operation::Arrive(1));
        assert!(!one.completes && !passes(one.word, false) && passes(one.word, true));
        let two = step(layout, one.word, Operation::Arrive(1));
        assert!(two.completes && passes(two.word, false));
        assert_eq!(
            decode(layout, two.word),
            Fields { parity: true, pending: 2, expected: 2, ..Fields::default() }
        );
        assert_eq!(two.word, word | 1 << 63);
    }
}

#[test]
fn the_layouts_differ_only_within_a_phase() {
    let word = initial(4).unwrap();
    let [low, high] = Layout::ALL.map(|layout| step(layout, word, Operation::Arrive(3)).word);
    assert_eq!(low, 0x7fff_e000_001f_fffe);
    assert_eq!(high, 0x7fff_f800_001f_fff8);
}

#[test]
fn pending_bytes_keep_a_phase_incomplete() {
    for layout in Layout::ALL {
        let word = step(layout, initial(1).unwrap(), Operation::ArriveExpectTx(256)).word;
        assert!(passes(word, true) && decode(layout, word).tx_low() == 256);
        let half = step(layout, word, Operation::CompleteTx(128));
        assert!(!half.completes);
        assert!(step(layout, half.word, Operation::CompleteTx(128)).completes);
        assert!(!step(layout, half.word, Operation::ExpectTx(-128)).completes);
    }
}

#[test]
fn a_drop_lowers_later_phases() {
    for layout in Layout::ALL {
        let word = step(layout, initial(3).unwrap(), Operation::ArriveDrop(1)).word;
        let fields = decode(layout, word);
        assert_eq!((fields.pending, fields.expected), (2, 2));
    }
}

#[test]
fn every_result_is_a_word() {
    let operations = [
        Operation::Init(0),
        Operation::Arrive(u32::MAX),
        Operation::ArriveDrop(MOST),
        Operation::ExpectTx(i32::MIN),
        Operation::CompleteTx(i32::MIN),
        Operation::ArriveExpectTx(i32::MAX),
    ];
    for word in words().take(500) {
        for operation in operations {
            for layout in Layout::ALL {
                let stepped = step(layout, word, operation);
                assert_eq!(encode(layout, decode(layout, stepped.word)), stepped.word);
            }
        }
    }
    assert!(step(Layout::LowPending, initial(1).unwrap(), Operation::Arrive(2)).wraps);
    assert!(!step(Layout::LowPending, initial(1).unwrap(), Operation::Arrive(1)).wraps);
}

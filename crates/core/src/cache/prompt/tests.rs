use super::*;

#[test]
fn sums_have_the_stored_and_the_sent_tokens_of_replaced_results() {
    let mut prompt = PromptTokens::new(10.0);
    for tokens in [100.0, 200.0, 300.0] {
        prompt.push(tokens, 2.0);
    }
    prompt.replace_results([(1, 150.0), (1, 20.0)].into_iter());
    assert_eq!(prompt.up_to(2), Compared { unmodified: 310.0, sent: 140.0 });
    assert_eq!(prompt.total(), Compared { unmodified: 610.0, sent: 440.0 });
    assert_eq!((prompt.has_replaced_before(1), prompt.has_replaced_before(2)), (false, true));
    assert_eq!((prompt.blocks_between(0, 3), prompt.blocks_between(1, 2)), (6.0, 2.0));
    assert_eq!([5.0, 110.0, 139.0, 141.0].map(|tokens| prompt.position_at(tokens)), [0, 1, 1, 2]);
}

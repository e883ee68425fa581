use super::*;

fn grown(count: u32) -> Growth {
    let mut growth = Growth::default();
    for turn in 1..=count {
        // Cheap text in the first half, text at twice the price in the second.
        let estimate = f64::from(turn);
        let real = 100.0 + estimate + (estimate - f64::from(count / 2)).max(0.0);
        growth.push(Sample { estimate, real });
    }
    growth
}

#[test]
fn r6_3_the_newest_part_of_a_prompt_costs_what_it_added() {
    for count in [40, 1_000] {
        let growth = grown(count);
        let quarter = f64::from(count / 4);
        let newest = growth.newest(quarter, 100.0).unwrap();
        assert!((newest - (100.0 + 2.0 * quarter)).abs() < 1e-6, "{newest}");
        let all = growth.newest(f64::from(count), 100.0).unwrap();
        assert!((all - (100.0 + 1.5 * f64::from(count))).abs() < 1e-6, "{all}");
        assert_eq!(growth.newest(f64::from(count + 1), 100.0), None);
    }
}

#[test]
fn r6_3_a_smaller_prompt_starts_a_new_growth() {
    let mut growth = grown(40);
    growth.push(Sample { estimate: 10.0, real: 120.0 });
    assert_eq!(growth.newest(5.0, 100.0), Some(110.0));
    assert_eq!(growth.newest(11.0, 100.0), None);
}

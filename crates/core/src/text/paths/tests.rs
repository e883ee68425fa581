use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

fn normalize(root: &str, path: &str) -> String {
    let root = ProjectRoot::new(&units(root), false).unwrap();
    String::from_utf16_lossy(&root.normalize(&units(path)).unwrap())
}

#[test]
fn r2_3_spellings_of_one_posix_file_agree() {
    for path in [
        "src/a.ts", "./src/a.ts", "src//a.ts", "src/./a.ts", "src/b/../a.ts", "/home/me/app/src/a.ts",
        "//home/me/app/src/a.ts", "/home/me/app/../app/src/a.ts", "../app/src/a.ts", "src/a.ts/",
    ] {
        assert_eq!(normalize("/home/me/app", path), "src/a.ts", "{path}");
        assert_eq!(normalize("/home/me/app/", path), "src/a.ts", "{path}");
    }
}

#[test]
fn r2_3_a_path_outside_the_root_is_absolute() {
    assert_eq!(normalize("/home/me/app", "../other/x"), "/home/me/other/x");
    assert_eq!(normalize("/home/me/app", "/home/me/application/x"), "/home/me/application/x");
    assert_eq!(normalize("/home/me/app", "/../../x"), "/x");
    assert_eq!(normalize("/home/me/app", "."), ".");
    assert_eq!(normalize("/home/me/app", ".."), "/home/me");
}

#[test]
fn r2_3_windows_paths_are_normalised_on_every_platform() {
    let root = "F:\\Projects\\snow";
    for path in [
        "src/a.ts",
        ".\\src\\a.ts",
        "f:/Projects/snow/src/a.ts",
        "F:\\Projects\\snow\\src\\a.ts",
        "f:src\\a.ts",
        "\\Projects\\snow\\src\\a.ts",
    ] {
        assert_eq!(normalize(root, path), "src/a.ts", "{path}");
    }
    assert_eq!(normalize(root, "C:\\x\\y"), "c:/x/y");
    assert_eq!(normalize(root, "F:\\projects\\snow\\a"), "f:/projects/snow/a");
    assert_eq!(normalize("/home/me", "C:\\x\\..\\y"), "c:/y");
    assert_eq!(normalize("\\\\srv\\share\\p", "\\\\srv\\share\\p\\a\\..\\b"), "b");
    assert_eq!(normalize("/home/me", "\\\\srv\\share\\..\\x"), "//srv/share/x");
    assert_eq!(normalize(root, "//srv/share/x"), "//srv/share/x");
    assert_eq!(normalize("/home/me", "//srv/share/x"), "/srv/share/x");
}

#[test]
fn r2_3_a_backslash_is_an_ordinary_character_in_posix_paths() {
    assert_eq!(normalize("/r", "a\\b"), "a\\b");
    assert_eq!(normalize("/r", "a:b"), "a:b");
    assert_ne!(normalize("/r", "a\\b"), normalize("/r", "a/b"));
}

#[test]
fn r2_3_case_counts_unless_case_is_folded() {
    assert_ne!(normalize("/r", "A.ts"), normalize("/r", "a.ts"));
    let root = ProjectRoot::new(&units("/R"), true).unwrap();
    assert_eq!(root.normalize(&units("/r/ÄB")), root.normalize(&units("äb")));
    let share = ProjectRoot::new(&units("\\\\Srv\\Share\\P"), true).unwrap();
    assert_eq!(share.normalize(&units("\\\\SRV\\share\\p\\x")), Some(units("x")));
}

#[test]
fn r2_3_a_relative_root_is_refused() {
    for root in ["", "app", "./app", "C:app"] {
        assert!(ProjectRoot::new(&units(root), false).is_none(), "{root}");
    }
}

#[test]
fn r2_2_a_blank_path_names_nothing() {
    let root = ProjectRoot::new(&units("/r"), false).unwrap();
    assert_eq!(root.normalize(&[]), None);
    assert_eq!(root.normalize(&units(" \u{FEFF}")), None);
}

proptest! {
    #[test]
    fn r2_3_normalising_twice_changes_nothing(path in "[a-cC./\\\\: ]{1,30}", windows in any::<bool>()) {
        let root = ProjectRoot::new(&units(if windows { "C:\\a\\b" } else { "/a/b" }), false).unwrap();
        if let Some(once) = root.normalize(&units(&path)) {
            // `//server/share` is accepted as UNC input only: the normalized form is not read as UNC again.
            prop_assume!(!once.starts_with(&[SLASH, SLASH]));
            // A relative form that looks like an anchor (`c:` below a POSIX root) is read as one.
            prop_assume!(windows_anchor(&once, windows).is_none() || once.len() > 2);
            prop_assume!(!crate::text::utf16::trim_start(&once).is_empty());
            if drive_relative(&once).is_none() && once.first() != Some(&BACKSLASH) {
                prop_assert_eq!(root.normalize(&once), Some(once.clone()));
            }
        }
    }

    #[test]
    fn r0_2_lone_surrogates_in_a_path_stay(units in prop::collection::vec(0xD800u16..0xE000, 1..20), fold in any::<bool>()) {
        let root = ProjectRoot::new(&[SLASH, 0x72], fold).unwrap();
        let spelled = root.normalize(&units);
        let decodable = char::decode_utf16(units.iter().copied()).all(|c| c.is_err());
        if decodable || !fold { prop_assert_eq!(spelled, Some(units)); }
    }
}

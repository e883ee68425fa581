use super::*;
use crate::text::utf16::units;
use proptest::prelude::*;

const fn pixels(width: u32, height: u32) -> Pixels {
    Pixels { width, height }
}

#[test]
fn r6_2_image_sizes_are_read_from_file_headers() {
    let png = from_base64(&units("iVBORw0KGgoAAAANSUhEUgAAAyAAAAJYCAYAAACadoJw"));
    assert_eq!(size_of(&png), Some(pixels(800, 600)));
    assert_eq!(size_of(b"GIF89a\x40\x01\xF0\x00"), Some(pixels(320, 240)));
    let mut jpeg = vec![0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x06, 1, 2, 3, 4, 0xFF, 0xC4, 0x00, 0x02];
    jpeg.extend([0xFF, 0xFF, 0xC2, 0x00, 0x11, 8, 0x04, 0x38, 0x07, 0x80]);
    assert_eq!(size_of(&jpeg), Some(pixels(1920, 1080)));
    assert_eq!(size_of(&jpeg[..20]), None, "the size is after the cut");
    let webp = |rest: &[u8]| [b"RIFF\0\0\0\0WEBP".as_slice(), rest].concat();
    assert_eq!(size_of(&webp(b"VP8X\0\0\0\0\0\0\0\0\x1F\x03\0\x57\x02\0")), Some(pixels(800, 600)));
    assert_eq!(size_of(&webp(b"VP8L\0\0\0\0\x2F\x1F\xC3\x95\0")), Some(pixels(800, 600)));
    assert_eq!(size_of(&webp(b"VP8 \0\0\0\0\0\0\0\x9D\x01\x2A\x20\x03\x58\x02")), Some(pixels(800, 600)));
    let scaled_up = webp(b"VP8 \0\0\0\0\0\0\0\x9D\x01\x2A\x20\x43\x58\x42");
    assert_eq!(size_of(&scaled_up), Some(pixels(800, 600)), "the upper two bits are no part of the size");
    for invalid in [&b""[..], b"\xFF\xD8", b"\xFF\xD8\x00\x00", b"not an image", b"GIF89a\0\0\0\0"] {
        assert_eq!(size_of(invalid), None);
    }
}

#[test]
fn r6_2_image_data_is_distinguished_from_links() {
    assert_eq!(data_start(&units("data:image/png;base64,iVBO")), Some(22));
    assert_eq!(data_start(&units("iVBO")), Some(0));
    assert_eq!(data_start(&units("https://example.com/a.png")), None);
    assert_eq!(from_base64(&units("aGVs\r\nbG8=")), b"hello");
    assert_eq!(from_base64(&units("-_8")), [0xFB, 0xFF]);
}

#[allow(clippy::cast_possible_truncation)] // small whole numbers
fn cost(formula: ImageFormula, size: Pixels, low_detail: bool) -> i64 {
    formula.tokens(size, low_detail) as i64
}

#[test]
fn r6_2_image_formulas_agree_with_the_published_examples() {
    let gpt_4o = ImageFormula::Tiles { base: 85.0, tile: 170.0 };
    // OpenAI's vision guide: 1024 × 1024 is 765 tokens, 2048 × 4096 is 1105, low detail 85.
    assert_eq!(cost(gpt_4o, pixels(1024, 1024), false), 765);
    assert_eq!(cost(gpt_4o, pixels(2048, 4096), false), 1105);
    assert_eq!(cost(gpt_4o, pixels(4096, 8192), true), 85);
    // Anthropic's vision guide: 1000 × 1000 is about 1334 tokens.
    assert_eq!(cost(ImageFormula::Area, pixels(1000, 1000), false), 1334);
    assert_eq!(cost(ImageFormula::Area, pixels(8000, 8000), false), 1600);
    assert_eq!(cost(ImageFormula::LargePatches, pixels(280, 280), false), 100);
    assert_eq!(cost(ImageFormula::GeminiTiles, pixels(384, 384), false), 258);
    assert_eq!(cost(ImageFormula::Patches { multiplier: 1.0 }, pixels(1024, 1024), false), 1024);
}

fn hostile_file() -> impl Strategy<Value = Vec<u8>> {
    let head = prop::sample::select(vec![
        &b"\x89PNG\r\n\x1A\n"[..],
        b"GIF89a",
        b"\xFF\xD8",
        b"RIFF\0\0\0\0WEBPVP8X",
        b"RIFF\0\0\0\0WEBPVP8L",
        b"RIFF\0\0\0\0WEBPVP8 ",
        b"",
    ]);
    let byte = prop_oneof![Just(0xFF_u8), any::<u8>()];
    (head, prop::collection::vec(byte, 0..200)).prop_map(|(head, rest)| [head, &rest].concat())
}

proptest! {
    #[test]
    fn r6_2_arbitrary_bytes_have_a_positive_size_or_none(file in hostile_file()) {
        if let Some(Pixels { width, height }) = size_of(&file) {
            prop_assert!(width > 0 && height > 0);
        }
    }

    #[test]
    fn r6_2_the_size_of_a_jpeg_is_found_after_any_segments_and_fill_bytes(
        segments in prop::collection::vec((0xE0_u8..=0xEF, 0_usize..3, prop::collection::vec(any::<u8>(), 0..50)), 0..5),
        width in 1_u16..,
        height in 1_u16..,
    ) {
        let mut file = vec![0xFF, 0xD8];
        for (kind, fill, body) in &segments {
            file.extend(std::iter::repeat_n(0xFF, fill + 1));
            file.push(*kind);
            file.extend(u16::try_from(body.len() + 2).unwrap().to_be_bytes());
            file.extend(body);
        }
        file.extend([0xFF, 0xC0, 0, 17, 8]);
        file.extend([height.to_be_bytes(), width.to_be_bytes()].concat());
        prop_assert_eq!(size_of(&file), Some(pixels(width.into(), height.into())));
        file.pop();
        prop_assert_eq!(size_of(&file), None, "the last byte of the size is missing");
    }
}

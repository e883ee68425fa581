//! Lays out vocabularies and classes of characters for token counting. They come from crates at build time: megabytes of data have no
//! place in a repository, and the pinned crate checks its vocabularies against the published ones.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use regex_syntax::hir::{Class, HirKind};
use tiktoken::CoreBpe;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Bits of `src/tokens/bpe/pieces.rs`.
const CLASSES: [(u8, &str); 5] = [
    (1, r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"),
    (2, r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"),
    (4, r"\p{L}"),
    (8, r"\p{N}"),
    (16, r"\s"),
];
const BLOCK: usize = 256;

fn main() -> Outcome<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("o200k_base.vocabulary"), vocabulary(&tiktoken::encoding::o200k_base())?)?;
    fs::write(out.join("cl100k_base.vocabulary"), vocabulary(&tiktoken::encoding::cl100k_base())?)?;
    fs::write(out.join("characters.table"), characters()?)?;
    Ok(())
}

/// The number of tokens (u32, little-endian), each one's length (u8), then their bytes, by rank up to the first gap.
fn vocabulary(encoding: &CoreBpe) -> Outcome<Vec<u8>> {
    let ranks = 0..u32::try_from(encoding.vocab_size())?;
    let tokens: Vec<Vec<u8>> =
        ranks.map(|rank| encoding.decode(&[rank])).take_while(|token| !token.is_empty()).collect();
    let mut laid_out = u32::try_from(tokens.len())?.to_le_bytes().to_vec();
    for token in &tokens {
        laid_out.push(u8::try_from(token.len())?);
    }
    laid_out.extend(tokens.concat());
    Ok(laid_out)
}

/// A block number (u8) for every 256 characters, then the distinct blocks.
fn characters() -> Outcome<Vec<u8>> {
    let mut flags = vec![0_u8; 0x11_0000];
    for (bit, pattern) in CLASSES {
        let hir = regex_syntax::parse(pattern)?;
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else {
            return Err("a class of characters".into());
        };
        for range in class.ranges() {
            let places = range.start() as usize..=range.end() as usize;
            flags.get_mut(places).ok_or("a character")?.iter_mut().for_each(|flag| *flag |= bit);
        }
    }
    let mut numbers: HashMap<&[u8], u8> = HashMap::new();
    let mut index = Vec::new();
    let mut blocks = Vec::new();
    for block in flags.chunks(BLOCK) {
        let next = u8::try_from(numbers.len())?;
        let number = *numbers.entry(block).or_insert_with(|| {
            blocks.extend_from_slice(block);
            next
        });
        index.push(number);
    }
    index.extend(blocks);
    Ok(index)
}

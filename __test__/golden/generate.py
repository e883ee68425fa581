"""Writes the golden vectors: texts, and their token counts by the official tokenizer.

    pip install tiktoken==0.14.0
    python __test__/golden/generate.py <folder>

`<folder>` holds `o200k_base.tiktoken` and `cl100k_base.tiktoken`, which are not committed. The official package
checks their hashes. Both files can be made from the ranks in js-tiktoken (a development dependency): one line
`<base64 token> <rank>` for each token, in the order of ranks.
"""

import base64
import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

import tiktoken
from tiktoken.load import check_hash
from tiktoken_ext import openai_public

from texts import CODE, JOINTS, SCRIPTS, SPECIAL, TERMINAL, WHITE, WORDS

HERE = Path(__file__).parent
MIXTURES = 400


def read_vocabulary(folder):
    """Replaces the package's download: reads the files from `folder`, and checks the same hashes."""

    def load(address, expected_hash=None):
        data = (folder / address.rsplit("/", 1)[-1]).read_bytes()
        if expected_hash is None or not check_hash(data, expected_hash):
            raise SystemExit(f"{address}: expected the official file, got another one")
        pairs = (line.split() for line in data.splitlines() if line)
        return {base64.b64decode(token): int(rank) for token, rank in pairs}

    return load


def mixtures():
    """Random sequences of all kinds of text: mistakes occur at the boundaries between kinds."""
    chance = random.Random(4)
    parts = [*WORDS, *JOINTS, *WHITE, *SPECIAL, *(line for text in SCRIPTS.values() for line in text.split())]
    for number in range(MIXTURES):
        yield f"mixture {number}", "".join(chance.choice(parts) for _ in range(chance.randint(2, 24))), 1


def vectors():
    """`(name, text, repeat)`; the text counted is `text * repeat`."""
    for kind, texts in {"script": SCRIPTS, "code": CODE, "terminal": TERMINAL}.items():
        for name, text in texts.items():
            yield f"{kind}: {name}", text, 1
            yield f"{kind}: {name}, upper case", text.upper(), 1
    for text in WORDS:
        yield "word", text, 1
    for text in SPECIAL:
        yield "special token as text", text, 1
        yield "special token in a sentence", f"the string {text}, quoted", 1
    for text in WHITE:
        for length in (1, 2, 3, 7, 100):
            yield "white space", text * length, 1
        yield "white space in a sentence", f"one{text}two {text}three{text} four{text}{text}", 1
    for joint in JOINTS:
        yield "joint", f"cafe{joint}s {joint}42{joint}\n{joint}", 1
    for piece in ("a", "A", " ", "-", "=", "0", "7", "啊", "é", "\n", "\t", "🙂", "ab", "xyz", " a", "\u0301"):
        for repeat in (10, 63, 1000, 5000):
            yield "repeated", piece, repeat
    yield from mixtures()


def main():
    openai_public.load_tiktoken_bpe = read_vocabulary(Path(sys.argv[1]))
    for name in ("o200k_base", "cl100k_base"):
        encoding = tiktoken.get_encoding(name)
        lines = [
            json.dumps({"name": title, "text": text, "repeat": repeat, "tokens": len(encoding.encode_ordinary(text * repeat))})
            for title, text, repeat in vectors()
        ]
        head = json.dumps({"encoding": name, "counted by": f"tiktoken {version('tiktoken')}"})
        body = ",\n".join(lines)
        (HERE / f"{name}.json").write_text(f'{head[:-1]}, "vectors": [\n{body}\n]}}\n', encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()

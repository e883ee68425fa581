"""The texts of the golden vectors, written for them."""

SCRIPTS = {
    "English": "The agent reads a file twice, and the first reading isn't needed any more. We've kept the newest; they'd agree.",
    "German": "Größere Übersetzungen überfordern häufig das Gedächtnis — außer man kürzt sie mäßig.",
    "French": "L'été dernier, où çà ? « Voilà » dit-elle, naïve et cœur léger : l’œuvre n’était pas finie…",
    "Turkish": "İstanbul'da ışığın rengi değişiyor; Iğdır'da ise ÇOK güneşli.",
    "Vietnamese": "Người dùng muốn đọc lại tệp đã được nén trước đó, nhưng nội dung đã bị thay thế.",
    "Greek": "Η παλίμψηστος περγαμηνή κρατά και τα δύο κείμενα, ΠΑΛΙΌ και νέο.",
    "Russian": "Старое чтение файла больше не нужно: сохраняем ТОЛЬКО последнее.",
    "Ukrainian": "Ґрунтовні зміни з'являються щоразу, коли їх не чекаєш.",
    "Hebrew": "הטקסט הישן עדיין קריא מתחת לְטֶקְסְט הֶחָדָשׁ.",
    "Arabic": "النصُّ القديم ما زال مقروءًا تحت النصِّ الجديد، ٢٠٢٦.",
    "Persian": "متن قدیمی هنوز زیر متن تازه خواناست؛ می‌خواهم ۱۲۳ بار.",
    "Hindi": "पुराना पाठ नए पाठ के नीचे अब भी पढ़ा जा सकता है। १२३४५",
    "Bengali": "পুরোনো লেখা এখনও নতুন লেখার নিচে পড়া যায়।",
    "Tamil": "பழைய எழுத்து புதியதின் கீழ் இன்னும் படிக்கத்தக்கது.",
    "Telugu": "పాత రాత కొత్త రాత కింద ఇంకా చదవగలిగేలా ఉంది.",
    "Thai": "ข้อความเก่ายังอ่านได้อยู่ใต้ข้อความใหม่ ๑๒๓",
    "Lao": "ຂໍ້ຄວາມເກົ່າຍັງອ່ານໄດ້",
    "Khmer": "អត្ថបទចាស់នៅតែអាចអានបាន",
    "Burmese": "စာဟောင်းကို ဖတ်နိုင်သေးသည်။",
    "Tibetan": "ཡི་གེ་རྙིང་པ་ད་དུང་ཀློག་ཐུབ།",
    "Georgian": "ძველი ტექსტი ჯერ კიდევ იკითხება ახლის ქვეშ. ᲥᲐᲠᲗᲣᲚᲘ",
    "Armenian": "Հին տեքստը դեռ ընթեռնելի է նորի տակ։",
    "Amharic": "የድሮው ጽሑፍ ከአዲሱ ሥር አሁንም ይነበባል።",
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ꮳꮃꭹ",
    "Inuktitut": "ᐃᓄᒃᑎᑐᑦ ᐅᖃᐅᓯᖅ",
    "Simplified Chinese": "旧的读取结果已经压缩,请参看最新的读取结果。此命令返回内容已过时!",
    "Traditional Chinese": "舊的讀取結果已經壓縮,請參看最新的讀取結果。「檔案」共三十七個。",
    "Japanese": "古い読み取り結果は圧縮されました。最新のファイルをご覧ください。カタカナとひらがなと漢字、ハンカク。",
    "Korean": "이전에 읽은 파일의 내용은 압축되었습니다. 최신 결과를 보세요. 한글",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ",
    "Gothic": "𐌲𐌿𐍄𐌹𐍃𐌺 𐍂𐌰𐌶𐌳𐌰",
    "Deseret": "𐐔𐐯𐑅𐐨𐑉𐐯𐐻",
    "Egyptian": "𓀀𓂀𓃰",
    "rare Han": "𠀀𠮷𡃁𪛖㐀㐁䶵",
    "mathematics": "∀x∈ℝ: ⌈x⌉ ≥ x, 𝒜𝓑𝐂 ½ ² Ⅻ ①②③ ∑ᵢ aᵢ·bᵢ",
    "title case letters": "ǅungla ǈubav ǋegoš ǲ ᾈ",
    "modifier letters": "ʰʷʲ ˈstrɛs ˌfoʊ ᵃᵇᶜ",
    "emoji": "🙂👍🏽👩‍👩‍👧‍👦🏳️‍🌈🇩🇪🇨🇳 1️⃣ ❤️ ☎︎ 🫠🪿",
    "combining marks": "e\u0301a\u0300\u0323o\u0302\u0301 Z\u0351\u036b\u0343a\u0329\u034dl\u0310g\u0321o\u0335 \u0301leading",
    "decomposed Hangul": "\u1112\u1161\u11ab\u1100\u1173\u11af",
    "private and unassigned": "\ue000\uf8ff\U000f0000\U0010ffff\u0378\ufdd0",
    "lone surrogates": "a\ud800b\udfff c\ud83d\ud83d\ude00 \ude00",
}

CODE = {
    "TypeScript": "export async function readAll<T extends { id: string }>(ids: readonly string[]): Promise<T[]> {\n  const found = await Promise.all(ids.map(async (id) => cache.get(id) ?? (await load<T>(`${base}/${id}`))));\n  return found.filter((item): item is Awaited<T> => item !== undefined);\n}\n",
    "Rust": "impl<'a> Iterator for Pieces<'a> {\n    type Item = &'a [u8];\n\n    fn next(&mut self) -> Option<Self::Item> {\n        let (head, tail) = self.rest.split_at_checked(self.width)?;\n        self.rest = tail;\n        Some(head) // never empty\n    }\n}\n",
    "Python": "def outdated(results, *, keep=5, now=None):\n\t\"\"\"Which results are too old to send again?\"\"\"\n\tnewest = sorted(results, key=lambda r: -r['timestamp'])[:keep]\n\treturn [r for r in results if r not in newest and not r[\"error\"]]\n",
    "C": "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint main(int argc, char **argv)\r\n{\r\n\tunsigned long long n = 0xDEADBEEFULL;\r\n\treturn (int)(n >> 60) != 13;\r\n}\r\n",
    "SQL": "SELECT COUNT(*) AS n, role FROM messages WHERE content LIKE '%Error:%' AND ts >= '2026-11-01' GROUP BY role HAVING n > 5;",
    "HTML": "<!doctype html>\n<p class=\"a b\">&lt;script&gt;alert('x')&lt;/script&gt;<br/>\n<img src='data:image/png;base64,iVBORw0KGgo='></p>",
    "JSON": '{"stdout":"line 1\\nline 2\\u001b[0m","stderr":"","exitCode":0,"command":"npm test -- --grep \\"a b\\"","executedAt":"2026-11-21T03:12:42.123Z","n":[1,2.5,-3e10,null,true]}',
    "indented JSON": '{\n    "a": {\n        "b": [\n            1,\n            2\n        ]\n    }\n}',
    "diff": "@@ -12,7 +12,8 @@ fn main() {\n-    let x = 1;\n+    let x = 2;\n+    // why?\n     println!(\"{x}\");\n",
    "names": "camelCaseName PascalCaseName SCREAMING_SNAKE kebab-case-name snake_case XMLHttpRequest iPhone aB2cD4 __proto__ HTTPServerID",
    "contractions": "I'm you're he's we'd they'll I've don't CAN'T I'M YOU'RE ’s it’s 'S 'Tis rock'n'roll d'accord",
    "paths": "/usr/local/lib/node_modules/a/b.js C:\\Users\\me\\a b.txt file:///etc/hosts ../../x?y=1&z=%20#h",
    "digits": "1 12 123 1234 12345 123456789 3.14159265358979 0x1F 1e-9 192.168.0.1 2026-11-21 +86-10-8888 ١٢٣٤٥ 一二三 ½",
    "long digits": "31415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679",
    "hexadecimal": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 550e8400-e29b-41d4-a716-446655440000",
    "base64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" * 4,
    "punctuation": "!!! ??? ... --- === *** /// \\\\\\ ((())) [[]] {{}} <<>> ,,, ;;; ::: \"\" '' `` ~~ @@ ## $$ %% ^^ && || ++ __ !?/\n//\n",
}

TERMINAL = {
    "colours": "\x1b[32m✓\x1b[0m 12 passing \x1b[90m(34ms)\x1b[0m\n\x1b[31m✗ 1 failing\x1b[39m\n\x1b[2K\x1b[1G\x1b[?25h",
    "progress": "\r  3% [=>                  ]\r 57% [===========>        ]\r100% [====================]\n",
    "listing": "drwxr-xr-x  2 me me   4096 Nov 21 03:12 lib\n-rw-r--r--  1 me me  11234 Nov 21 03:12 index.d.ts\n",
    "stack trace": "TypeError: Cannot read properties of undefined (reading 'id')\n    at read (/home/me/app/src/read.ts:12:34)\n    at async main (file:///home/me/app/main.mjs:5:1)\n",
    "compiler": "error[E0382]: borrow of moved value: `text`\n  --> src/main.rs:4:20\n   |\n 3 |     drop(text);\n   |          ---- value moved here\n",
    "table": "┌────┬──────┐\n│ id │ name │\n├────┼──────┤\n│  1 │ 张三 │\n└────┴──────┘\n",
    "control characters": "\x00\x01\x07\x08\x0b\x0c\x1f\x7f\x80\x9f",
    "log": "2026-11-21T03:12:42.123Z  INFO worker-3: done in 1.234s status=200 bytes=104857600\n" * 5,
}

SPECIAL = [
    "<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|endofprompt|>", "<|im_start|>", "<|im_end|>",
    "<|start|>", "<|message|>", "<|channel|>", "<|return|>", "<|", "|>", "<|endoftext|", "<s>", "[INST]",
]

WHITE = [
    " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", " \n", "\n ", "\t\n\t", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2028", "\u2029",
    "\u202f", "\u205f", "\u3000", "\ufeff", "\u200b", "\u180e", "\x0b", "\x0c", "\x1c", "\x1f",
]

JOINTS = ["\u200d", "\u200c", "\u0301", "\ufe0f", "\u00ad", "\u2019", "'", "'S", "\u0345", "\u017f", "\u212a", "/", "_", "\u00b7", "\u0e33"]

WORDS = [
    "", "a", "I", "é", "ß", "ﬁ", "the", " the", "The", "THE", "antidisestablishmentarianism", " Donaudampfschifffahrtsgesellschaft", "hello world",
    "1", "12", "1234", "½", "٣", "!", "?!", "...", "、", "。", "你", "你好", "こんにちは", "안녕", "🙂", "🏽", "\u0301", "'s", "'ve", " 's", "ſ", "'ſ",
    "0.1", "a1b2", "x=y", "=>", "->", "//", "/*", "*/", "{}", "();", "\\n", "\\u0000", "\x1b[0m", "😀😀😀", "👩‍💻", "aaa", "AAAA", "zzzzzzzzzzzzzzzz",
]

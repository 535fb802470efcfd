"""Cuts the board's fonts down to the characters it can show. See subset.sh."""

import os
import sys

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

INTER = "/usr/share/fonts/opentype/inter/Inter-%s.otf"
NOTO = "/usr/share/fonts/opentype/noto/NotoSansCJK-%s.ttc"
TRADITIONAL = "Noto Sans CJK TC"  # its forms are the default, locl gives the others


def span(first, last):
    return {chr(c) for c in range(first, last + 1)}


def table(codec, rows, cells):
    """Every character that a two-byte code set has in the given rows."""
    out = set()
    for row in rows:
        for cell in cells:
            try:
                out.add(bytes([row, cell]).decode(codec))
            except UnicodeDecodeError:
                pass
    return out


def latin():
    chars = span(0x20, 0x7E) | span(0xA0, 0x17F)  # English, Spanish, Tagalog
    chars |= set("ƠơƯư") | span(0x1EA0, 0x1EF9)  # Vietnamese, composed
    chars |= span(0x300, 0x304) | set("\u0306\u0309\u031b\u0323\u0308")  # and its marks
    chars |= set("‐‑‒–—―‘’‚“”„†‡•…‰′″‹›⁄€₩₱₫™№℮−×÷≈≠≤≥±∞√")
    chars |= span(0x2070, 0x209C) | span(0x2190, 0x2199) | span(0x2000, 0x200B)
    chars |= set("■□▪▫▲△▶▷▼▽◀◁◆◇○●◐★☆✓✔✗✘⌫⏎⇥⌘⎋↩↵⟲⟳⚠")
    return chars


def cjk():
    big5_1 = table("big5", range(0xA4, 0xC7), [*range(0x40, 0x7F), *range(0xA1, 0xFF)])
    big5_signs = table("big5", range(0xA1, 0xA4), [*range(0x40, 0x7F), *range(0xA1, 0xFF)])
    gb_1 = table("gb2312", range(0xB0, 0xD8), range(0xA1, 0xFF))
    gb_signs = table("gb2312", range(0xA1, 0xA4), range(0xA1, 0xFF))
    hangul = table("euc_kr", range(0xB0, 0xC9), range(0xA1, 0xFF))
    ks_signs = table("euc_kr", range(0xA1, 0xAD), range(0xA1, 0xFF))
    return big5_1 | big5_signs | gb_1 | gb_signs | hangul | ks_signs | set("曱甴")


def catalogues(folders):
    out = set()
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                with open(path, encoding="utf-8") as f:
                    out |= set(f.read())
    return {c for c in out if c.isprintable()}


def options(features, scripts):
    o = subset.Options()
    o.layout_features = features
    o.layout_scripts = scripts
    o.hinting = False
    o.desubroutinize = False
    o.notdef_outline = True
    o.glyph_names = False
    o.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]  # names, copyright, licence
    o.name_languages = [0x409]
    o.drop_tables += ["DSIG", "VORG", "vhea", "vmtx", "VVAR", "BASE", "STAT", "meta"]
    return o


def cut(font, chars, opts, path):
    s = subset.Subsetter(opts)
    s.populate(unicodes=[ord(c) for c in chars])
    s.subset(font)
    # The time stamp is the source's own, so that the same packages give the
    # same bytes on every machine.
    font.recalcTimestamp = False
    font.save(path)
    have = set(map(chr, font.getBestCmap()))
    print("%-28s %8d bytes %6d characters" % (os.path.basename(path), os.path.getsize(path), len(have)))
    return have


def traditional(collection):
    for font in collection.fonts:
        if font["name"].getDebugName(1).startswith(TRADITIONAL):
            return font
    sys.exit("subset.py: the collection holds no " + TRADITIONAL)


def main(here, *folders):
    extra = catalogues(folders)
    western, eastern = latin() | extra, cjk() | latin() | extra
    inter = options(["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum", "case"], ["*"])
    noto = options(["locl", "ccmp", "ljmo", "vjmo", "tjmo"], [
        "DFLT.dflt", "hani.dflt", "hani.ZHS ", "hani.ZHT ", "hani.KOR ", "hang.dflt", "hang.KOR ",
        "kana.dflt", "latn.dflt"])
    have = set()
    for weight in ("Medium", "SemiBold", "Bold", "ExtraBold"):
        have |= cut(TTFont(INTER % weight, recalcTimestamp=False), western, inter, os.path.join(here, "Inter-%s.otf" % weight))
    rest = eastern - have
    for weight in ("Medium", "Bold"):
        font = traditional(TTCollection(NOTO % weight, lazy=True))
        have |= cut(font, rest, noto, os.path.join(here, "NotoSansCJK-%s.otf" % weight))
    lost = sorted(extra - have)
    if lost:
        sys.exit("subset.py: no font has " + " ".join("%s (U+%04X)" % (c, ord(c)) for c in lost))


main(*sys.argv[1:])

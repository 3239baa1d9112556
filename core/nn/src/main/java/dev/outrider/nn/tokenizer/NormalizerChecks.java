package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import java.util.List;

/// Checks of the normalizers of the tokenizers library.
final class NormalizerChecks {
    private static final List<String> KNOWN =
            List.of(
                    """
                    Sequence BertNormalizer ByteLevel Lowercase NFC NFD NFKC NFKD Nmt Precompiled
                    Prepend Replace Strip StripAccents
                    """
                            .split("\\s+"));

    private final Growth growth;
    private boolean removes;
    private boolean replaces;

    NormalizerChecks(Growth growth) {
        this.growth = growth;
    }

    /// Returns whether a text may become empty.
    boolean mayRemove(String text) {
        return removes
                && (replaces
                        || text.chars().noneMatch(c -> c < 0x80 && Character.isLetterOrDigit(c)));
    }

    void check(Part part) {
        growth.count(part);
        var type = part.type(KNOWN);
        switch (type) {
            case "Sequence" -> part.parts("normalizers").forEach(this::check);
            case "BertNormalizer" -> {
                removes = true;
                part.truth("clean_text");
                part.truth("handle_chinese_chars");
                if (part.has("strip_accents")) {
                    part.truth("strip_accents");
                }
                part.truth("lowercase");
                growth.by(part, 6);
            }
            case "Nmt", "StripAccents" -> removes = true;
            case "Strip" -> {
                removes = true;
                part.truth("strip_left");
                part.truth("strip_right");
            }
            case "Precompiled" -> {
                removes = true;
                replaces = true;
                growth.by(part, CharacterMap.check(part, "precompiled_charsmap"));
            }
            case "Prepend" -> {
                int added = SplittingChecks.bytes(part.text("prepend"));
                if (added == 0) {
                    throw part.wrong("prepend", "at least one character");
                }
                growth.by(part, 1.0 + added);
            }
            case "Replace" -> {
                replaces = true;
                removes |= part.in().path("content").asText().isEmpty();
                if (SplittingChecks.checkReplace(part, growth) == 0) {
                    throw part.wrong("pattern", "one that never matches an empty text");
                }
            }
            // The maximum in the Unicode Standard, Annex 15, and in its table of lower case.
            case "NFC", "NFD" -> growth.by(part, 3);
            case "NFKC", "NFKD" -> growth.by(part, 11);
            case "ByteLevel", "Lowercase" -> growth.by(part, 2);
            default -> throw new IllegalStateException("a kind is not handled");
        }
    }
}

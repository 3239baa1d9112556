package dev.outrider.nn.tokenizer;

import java.util.List;

/// The decoders of the tokenizers library.
final class Decoders {
    private static final List<String> KNOWN =
            List.of(
                    "Sequence",
                    "BPEDecoder",
                    "ByteFallback",
                    "ByteLevel",
                    "CTC",
                    "Fuse",
                    "Metaspace",
                    "Replace",
                    "Strip",
                    "WordPiece");

    private Decoders() {}

    static void check(Part part, Growth growth) {
        growth.count(part);
        var type = part.type(KNOWN);
        switch (type) {
            case "Sequence" -> part.parts("decoders").forEach(each -> check(each, growth));
            case "BPEDecoder" -> {
                if (part.text("suffix").isEmpty()) {
                    growth.by(part, 2);
                }
            }
            case "ByteLevel" -> PreTokenizers.checkByteLevel(part);
            case "CTC" -> {
                part.text("pad_token");
                if (part.text("word_delimiter_token").isEmpty()) {
                    growth.by(part, 2);
                }
                part.truth("cleanup");
            }
            case "Metaspace" -> PatternPart.checkMetaspace(part, growth);
            case "Replace" -> PatternPart.checkReplace(part, growth);
            case "Strip" -> {
                part.character("content");
                part.integer("start", 0, Integer.MAX_VALUE);
                // The library looks for what to take from the end even beyond the beginning, and
                // fails there.
                part.integer("stop", 0, 0);
            }
            case "WordPiece" -> {
                part.text("prefix");
                part.truth("cleanup");
                growth.by(part, 2);
            }
            default -> {
                // The others have no settings.
            }
        }
    }
}

package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import java.util.List;

/// Checks of the decoders of the tokenizers library.
final class DecoderChecks {
    private static final List<String> KNOWN =
            List.of(
                    """
                    Sequence BPEDecoder ByteFallback ByteLevel CTC Fuse Metaspace Replace Strip
                    WordPiece
                    """
                            .split("\\s+"));

    private DecoderChecks() {}

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
            case "ByteLevel" -> PreTokenizerChecks.checkByteLevel(part);
            case "CTC" -> {
                part.text("pad_token");
                if (part.text("word_delimiter_token").isEmpty()) {
                    growth.by(part, 2);
                }
                part.truth("cleanup");
            }
            case "Metaspace" -> PatternChecks.checkMetaspace(part, growth);
            case "Replace" -> PatternChecks.checkReplace(part, growth);
            case "Strip" -> {
                part.character("content");
                part.integer("start", 0, Integer.MAX_VALUE);
                // The library searches for what to strip even before the beginning, and fails
                // there.
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

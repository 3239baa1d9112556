package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import java.util.List;

/// Checks of the pre-tokenizers of the tokenizers library.
final class PreTokenizerChecks {
    private static final List<String> KNOWN =
            List.of(
                    """
                    Sequence BertPreTokenizer ByteLevel CharDelimiterSplit Digits FixedLength
                    Metaspace Punctuation Split UnicodeScripts Whitespace WhitespaceSplit
                    """
                            .split("\\s+"));

    private static final List<String> BEHAVIORS =
            List.of("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous");

    private PreTokenizerChecks() {}

    static void check(Part part, Growth growth) {
        growth.count(part);
        var type = part.type(KNOWN);
        switch (type) {
            case "Sequence" -> part.parts("pretokenizers").forEach(each -> check(each, growth));
            case "ByteLevel" -> growth.by(part, checkByteLevel(part) ? 4 : 2);
            case "CharDelimiterSplit" -> part.character("delimiter");
            case "Digits" -> part.truth("individual_digits");
            case "FixedLength" -> {
                if (part.has("length")) {
                    part.integer("length", 1, Integer.MAX_VALUE);
                }
            }
            case "Metaspace" -> PatternChecks.checkMetaspace(part, growth);
            case "Punctuation" -> {
                if (part.has("behavior")) {
                    part.oneOf("behavior", BEHAVIORS);
                }
            }
            case "Split" -> {
                PatternChecks.check(part, growth);
                part.oneOf("behavior", BEHAVIORS);
                part.truth("invert");
            }
            default -> {
                // The others have no settings.
            }
        }
    }

    /// @return whether a space is added before every piece of text
    static boolean checkByteLevel(Part part) {
        part.truth("trim_offsets");
        part.truth("use_regex", true);
        return part.truth("add_prefix_space");
    }
}

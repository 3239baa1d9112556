package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Checks of the pre-tokenizers and decoders of the tokenizers library, and of the `pattern` of a component: a string, or a regular
/// expression.
final class SplittingChecks {
    private static final List<String> PRE_TOKENIZERS =
            List.of(
                    """
                    Sequence BertPreTokenizer ByteLevel CharDelimiterSplit Digits FixedLength
                    Metaspace Punctuation Split UnicodeScripts Whitespace WhitespaceSplit
                    """
                            .split("\\s+"));

    private static final List<String> BEHAVIORS =
            List.of("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous");

    private static final List<String> DECODERS =
            List.of(
                    """
                    Sequence BPEDecoder ByteFallback ByteLevel CTC Fuse Metaspace Replace Strip
                    WordPiece
                    """
                            .split("\\s+"));

    private SplittingChecks() {}

    static void checkPreTokenizer(Part part, Growth growth) {
        growth.count(part);
        var type = part.type(PRE_TOKENIZERS);
        switch (type) {
            case "Sequence" ->
                    part.parts("pretokenizers").forEach(each -> checkPreTokenizer(each, growth));
            case "ByteLevel" -> growth.by(part, checkByteLevel(part) ? 4 : 2);
            case "CharDelimiterSplit" -> part.character("delimiter");
            case "Digits" -> part.truth("individual_digits");
            case "FixedLength" -> {
                if (part.has("length")) {
                    part.integer("length", 1, Integer.MAX_VALUE);
                }
            }
            case "Metaspace" -> checkMetaspace(part, growth);
            case "Punctuation" -> {
                if (part.has("behavior")) {
                    part.oneOf("behavior", BEHAVIORS);
                }
            }
            case "Split" -> {
                check(part, growth);
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

    static void checkDecoder(Part part, Growth growth) {
        growth.count(part);
        var type = part.type(DECODERS);
        switch (type) {
            case "Sequence" -> part.parts("decoders").forEach(each -> checkDecoder(each, growth));
            case "BPEDecoder" -> {
                if (part.text("suffix").isEmpty()) {
                    growth.by(part, 2);
                }
            }
            case "ByteLevel" -> checkByteLevel(part);
            case "CTC" -> {
                part.text("pad_token");
                if (part.text("word_delimiter_token").isEmpty()) {
                    growth.by(part, 2);
                }
                part.truth("cleanup");
            }
            case "Metaspace" -> checkMetaspace(part, growth);
            case "Replace" -> checkReplace(part, growth);
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

    /// @return bytes of the shortest match
    private static int check(Part part, Growth growth) {
        var pattern = part.part("pattern");
        if (!pattern.in().isObject() || pattern.in().size() != 1) {
            throw part.wrong("pattern", "a String or a Regex");
        }
        if (pattern.has("String")) {
            var text = pattern.text("String");
            if (text.isEmpty()) {
                throw pattern.wrong("String", "at least one character");
            }
            return bytes(text);
        }
        var source = pattern.text("Regex");
        try {
            var expression = BoundedExpression.of(source);
            growth.matches(expression);
            pattern.out().put("Regex", expression.source());
            return expression.leastLength();
        } catch (BoundedExpression.Unsafe e) {
            throw pattern.refused(
                    "has %s.Regex '%s', whose matching could take too long for some text: it %s"
                            .formatted(pattern.where(), shortened(source), e.getMessage()));
        }
    }

    /// Checks `Replace`, as a normalizer and as a decoder.
    ///
    /// @return bytes of the shortest match
    static int checkReplace(Part part, Growth growth) {
        int least = check(part, growth);
        int content = bytes(part.text("content"));
        growth.by(part, least == 0 ? 1.0 + content : Math.max(1.0, (double) content / least));
        return least;
    }

    /// Checks `Metaspace`, as a pre-tokenizer and as a decoder.
    static void checkMetaspace(Part part, Growth growth) {
        int replacement = bytes(part.character("replacement"));
        if (part.has("add_prefix_space")) {
            part.truth("add_prefix_space");
        }
        if (part.has("prepend_scheme")) {
            part.oneOf("prepend_scheme", List.of("first", "never", "always"));
        }
        if (part.has("split")) {
            part.truth("split");
        }
        growth.by(part, 1.0 + replacement);
    }

    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String shortened(String source) {
        return source.length() <= 200 ? source : source.substring(0, 200) + "...";
    }
}

package dev.outrider.nn.tokenizer;

import dev.outrider.nn.tokenizer.VocabularyFile.Growth;
import dev.outrider.nn.tokenizer.VocabularyFile.Part;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Checks of the `pattern` of a component: a string, or a regular expression.
final class PatternChecks {
    private PatternChecks() {}

    /// @return bytes of the shortest match
    static int check(Part part, Growth growth) {
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

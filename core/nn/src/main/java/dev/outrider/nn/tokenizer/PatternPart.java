package dev.outrider.nn.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// The `pattern` of a component: a string, or a regular expression.
final class PatternPart {
    private PatternPart() {}

    /// @return bytes of the shortest text it matches
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
            var expression = LinearExpression.of(source);
            if (expression.stepsBack()) {
                growth.stepsBack();
            }
            return expression.leastLength();
        } catch (LinearExpression.Unsafe e) {
            throw pattern.refused(
                    "has %s.Regex '%s', whose matching could take too long for some text: it %s"
                            .formatted(pattern.where(), shortened(source), e.getMessage()));
        }
    }

    /// `Replace`, as a normalizer and as a decoder.
    ///
    /// @return bytes of the shortest text it matches
    static int checkReplace(Part part, Growth growth) {
        int least = check(part, growth);
        int content = bytes(part.text("content"));
        growth.by(part, least == 0 ? 1.0 + content : Math.max(1.0, (double) content / least));
        return least;
    }

    /// `Metaspace`, as a pre-tokenizer and as a decoder.
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

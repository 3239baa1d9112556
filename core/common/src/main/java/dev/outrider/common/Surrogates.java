package dev.outrider.common;

import java.util.function.IntFunction;

/// Halves of surrogate pairs without their other half: Java strings may have them, no encoding of text has.
public final class Surrogates {
    private Surrogates() {}

    /// Whether there is one.
    public static boolean anyIn(CharSequence text) {
        return text.codePoints().anyMatch(Surrogates::half);
    }

    /// The text with something else in the place of each.
    ///
    /// @param other what to write for one
    public static String replaced(String text, IntFunction<String> other) {
        if (!anyIn(text)) {
            return text;
        }
        var whole = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> {
                    if (half(point)) {
                        whole.append(other.apply(point));
                    } else {
                        whole.appendCodePoint(point);
                    }
                });
        return whole.toString();
    }

    static boolean half(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}

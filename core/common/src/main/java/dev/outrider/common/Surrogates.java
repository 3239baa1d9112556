package dev.outrider.common;

import java.util.function.IntFunction;

/// Unpaired surrogates: Java strings may contain them, encoded texts may not.
public final class Surrogates {
    private Surrogates() {}

    /// Returns whether there is one.
    public static boolean anyIn(CharSequence text) {
        return text.codePoints().anyMatch(Surrogates::half);
    }

    /// Returns the text with a replacement for each.
    ///
    /// @param other returns the replacement
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

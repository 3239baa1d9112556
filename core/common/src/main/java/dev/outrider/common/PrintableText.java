package dev.outrider.common;

/// Makes untrusted text safe for a terminal: control characters, which can move the cursor, hide
/// words or type commands, and marks that change the direction of writing become visible
/// characters. Line ends and tabs stay.
public final class PrintableText {
    private static final int CONTROL_PICTURES = 0x2400;
    private static final int DELETE = 0x7F;
    private static final int DELETE_PICTURE = 0x2421;

    private PrintableText() {}

    /// Returns the safe text.
    public static String of(String text) {
        if (text.codePoints().noneMatch(PrintableText::obeyed)) {
            return text;
        }
        var shown = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(point -> {
                    if (obeyed(point)) {
                        append(shown, point);
                    } else {
                        shown.appendCodePoint(point);
                    }
                });
        return shown.toString();
    }

    private static boolean obeyed(int point) {
        return Character.isISOControl(point) && point != '\n' && point != '\t'
                || point >= 0x202A && point <= 0x202E
                || point >= 0x2066 && point <= 0x2069
                || Surrogates.half(point);
    }

    private static void append(StringBuilder shown, int point) {
        if (point < ' ') {
            shown.appendCodePoint(CONTROL_PICTURES + point);
        } else if (point == DELETE) {
            shown.appendCodePoint(DELETE_PICTURE);
        } else {
            shown.append("<U+%04X>".formatted(point));
        }
    }
}

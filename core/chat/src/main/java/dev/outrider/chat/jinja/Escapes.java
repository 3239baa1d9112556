package dev.outrider.chat.jinja;

/// Escape sequences in string constants.
final class Escapes {
    private Escapes() {}

    static String resolve(String text) {
        var result = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                result.append(c);
                continue;
            }
            char escape = text.charAt(++i);
            switch (escape) {
                case 'n' -> result.append('\n');
                case 't' -> result.append('\t');
                case 'r' -> result.append('\r');
                case 'b' -> result.append('\b');
                case 'f' -> result.append('\f');
                case '0' -> result.append('\0');
                case '\\', '\'', '"' -> result.append(escape);
                case 'x' -> i = hexadecimal(text, i, 2, result);
                case 'u' -> i = hexadecimal(text, i, 4, result);
                case 'U' -> i = hexadecimal(text, i, 8, result);
                default -> result.append('\\').append(escape);
            }
        }
        return result.toString();
    }

    /// @return the index of the last digit that was read
    private static int hexadecimal(String text, int letter, int digits, StringBuilder result) {
        int end = letter + 1 + digits;
        try {
            var point = Integer.parseInt(text, letter + 1, Math.min(end, text.length()), 16);
            if (end > text.length() || !Character.isValidCodePoint(point)) {
                throw new TemplateException("a string has an escape that is no character");
            }
            result.appendCodePoint(point);
            return end - 1;
        } catch (NumberFormatException e) {
            throw new TemplateException("a string has an escape that is no character");
        }
    }
}

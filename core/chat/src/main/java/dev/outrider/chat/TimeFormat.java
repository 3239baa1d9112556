package dev.outrider.chat;

import dev.outrider.chat.jinja.Budget;
import dev.outrider.chat.jinja.TemplateException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Formats a time like C's `strftime`, in English.
final class TimeFormat {
    /// Cost of formatting one field, in characters read.
    private static final int LOOKS_OF_A_FIELD = 500;

    private static final int LONGEST_FORMAT = 200;

    private TimeFormat() {}

    /// Formats a time for a template, and charges the cost to its budget.
    ///
    /// @throws TemplateException if the format is too long, or the budget is used up
    static String strftime(String format, ZonedDateTime time, Budget budget) {
        if (format.length() > LONGEST_FORMAT) {
            throw new TemplateException(
                    "a format of a time with %d characters; expected at most %d"
                            .formatted(format.length(), LONGEST_FORMAT));
        }
        budget.work((long) LOOKS_OF_A_FIELD * format.length());
        return strftime(format, time);
    }

    static String strftime(String format, ZonedDateTime time) {
        var result = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            char c = format.charAt(i);
            if (c != '%' || i + 1 == format.length()) {
                result.append(c);
                continue;
            }
            char letter = format.charAt(++i);
            boolean unpadded = letter == '-' && i + 1 < format.length();
            if (unpadded) {
                letter = format.charAt(++i);
            }
            var field = field(letter, time);
            result.append(unpadded && field.startsWith("0") ? field.substring(1) : field);
        }
        return result.toString();
    }

    private static String field(char letter, ZonedDateTime time) {
        return switch (letter) {
            case 'Y' -> in("yyyy", time);
            case 'y' -> in("yy", time);
            case 'm' -> in("MM", time);
            case 'd' -> in("dd", time);
            case 'B' -> in("MMMM", time);
            case 'b', 'h' -> in("MMM", time);
            case 'A' -> in("EEEE", time);
            case 'a' -> in("EEE", time);
            case 'H' -> in("HH", time);
            case 'I' -> in("hh", time);
            case 'M' -> in("mm", time);
            case 'S' -> in("ss", time);
            case 'p' -> in("a", time);
            case 'j' -> in("DDD", time);
            case 'Z' -> in("zzz", time);
            case 'z' -> in("xx", time);
            case 'F' -> in("yyyy-MM-dd", time);
            case 'T' -> in("HH:mm:ss", time);
            case '%' -> "%";
            default -> "%" + letter;
        };
    }

    private static String in(String pattern, ZonedDateTime time) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US).format(time);
    }
}

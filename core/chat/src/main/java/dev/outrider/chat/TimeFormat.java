package dev.outrider.chat;

import dev.outrider.chat.jinja.Budget;
import dev.outrider.chat.jinja.TemplateException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Formats a time like C's `strftime`, in English.
final class TimeFormat {
    /// Cost of formatting one field, in characters read.
    private static final int LOOKS_OF_A_FIELD = 500;

    private static final int LONGEST_FORMAT = 200;

    /// The letters of C's fields, each with the pattern of Java.
    private static final Map<String, String> PATTERNS =
            Stream.of(
                            "Y yyyy,y yy,m MM,d dd,B MMMM,b MMM,h MMM,A EEEE,a EEE,H HH,I hh,M mm,S ss,p a,j DDD,Z zzz,z xx,F yyyy-MM-dd,T HH:mm:ss"
                                    .split(",", -1))
                    .map(each -> each.split(" ", 2))
                    .collect(Collectors.toMap(each -> each[0], each -> each[1]));

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
        if (letter == '%') {
            return "%";
        }
        var pattern = PATTERNS.get(String.valueOf(letter));
        return pattern == null
                ? "%" + letter
                : DateTimeFormatter.ofPattern(pattern, Locale.US).format(time);
    }
}

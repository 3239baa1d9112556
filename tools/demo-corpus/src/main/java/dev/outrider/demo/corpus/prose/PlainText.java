package dev.outrider.demo.corpus.prose;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Gives the packages' texts one typography, so that no model learns the differences.
final class PlainText {
    private static final Pattern SINGLE_QUOTES = Pattern.compile("[\u2018\u2019]");
    private static final Pattern DOUBLE_QUOTES = Pattern.compile("[\u201c\u201d]");
    private static final Pattern DASHES = Pattern.compile("[\u2013\u2014]");
    private static final Pattern HYPHEN = Pattern.compile("\u2011");
    // Emphasis, list marks and remains of a word processor's codes.
    private static final Pattern MARKS = Pattern.compile("[_\u2022\\p{Cntrl}&&[^\\s]]");
    private static final Pattern SPACES = Pattern.compile("[\\s\u00a0]+");

    private PlainText() {}

    /// Returns a paragraph on one line: plain quotation marks, dashes as `--`, single spaces,
    /// trimmed.
    static String paragraph(String text) {
        var plain = SINGLE_QUOTES.matcher(text).replaceAll("'");
        plain = DOUBLE_QUOTES.matcher(plain).replaceAll("\"");
        plain = DASHES.matcher(plain).replaceAll("--");
        plain = HYPHEN.matcher(plain).replaceAll("-");
        plain = MARKS.matcher(plain).replaceAll("");
        return SPACES.matcher(plain).replaceAll(" ").strip();
    }

    /// Returns the paragraphs of wrapped lines, which are separated by empty lines.
    static List<String> paragraphs(Stream<String> lines) {
        var text = lines.map(line -> line.isBlank() ? "" : line).collect(Collectors.joining("\n"));
        return Stream.of(text.split("\n{2,}"))
                .map(PlainText::paragraph)
                .filter(paragraph -> !paragraph.isEmpty())
                .toList();
    }

    /// Returns paragraphs as one text.
    static String text(List<String> paragraphs) {
        return String.join("\n\n", paragraphs);
    }
}

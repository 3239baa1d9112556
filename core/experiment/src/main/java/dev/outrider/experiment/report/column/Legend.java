package dev.outrider.experiment.report.column;

import java.util.List;
import java.util.stream.Collectors;

/// What the words of a table mean, under it.
public final class Legend {
    private static final int WIDTH = 120;

    private Legend() {}

    /// A paragraph for each term, its heading before it.
    public static String of(List<Term> terms) {
        int indent = terms.stream().mapToInt(term -> term.heading().length()).max().orElse(0) + 2;
        return terms.stream().map(term -> paragraph(term, indent)).collect(Collectors.joining());
    }

    private static String paragraph(Term term, int indent) {
        var text = new StringBuilder(padded(term.heading(), indent));
        int length = indent;
        boolean first = true;
        for (String word : term.meaning().split(" ")) {
            if (!first && length + 1 + word.length() > WIDTH) {
                text.append('\n').append(" ".repeat(indent));
                length = indent;
                first = true;
            }
            text.append(first ? "" : " ").append(word);
            length += word.length() + (first ? 0 : 1);
            first = false;
        }
        return text.append('\n').toString();
    }

    private static String padded(String heading, int indent) {
        return heading + " ".repeat(indent - heading.length());
    }
}

package dev.outrider.experiment.table;

import dev.outrider.experiment.table.Table.Term;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything that needs a definition: the columns, and the other content of a result.
public final class Terms {
    private static final Term KINDS =
            new Term(
                    "kinds",
                    "by kind",
                    "",
                    "%s on the prompts of one kind"
                            .formatted(
                                    String.join(
                                            " and ",
                                            VariantColumns.at(Place.KINDS).stream()
                                                    .map(column -> column.term().heading())
                                                    .toList())));
    private static final Term COST_CURVE = Term.of("result", "costCurve");
    private static final Term DRAFTERS = Term.of("result", "drafters");

    /// The explanation of the difference between the formula's speedup and the measured one.
    public static final Term DIAGNOSIS = Term.of("result", "diagnosis");

    /// The content of `details.json` besides columns.
    static final List<Term> OTHERS =
            List.of(
                    Term.of("result", "meanNanos"),
                    Term.of("result", "counts.histogram"),
                    KINDS,
                    DRAFTERS,
                    COST_CURVE,
                    DIAGNOSIS,
                    Term.of("result", "interimAnalysis"),
                    Term.of("result", "batch"));

    private Terms() {}

    /// Returns the definitions of all numbers by key.
    public static Map<String, String> definitions() {
        var definitions = new LinkedHashMap<String, String>();
        Stream.concat(VariantColumns.ALL.stream().map(Column::term), OTHERS.stream())
                .forEach(term -> definitions.put(term.key(), term.meaning()));
        return definitions;
    }

    /// The terms of everything that a run finds.
    public static List<Term> ofRun() {
        var columns =
                Stream.of(Place.TABLE, Place.RANKINGS, Place.POSITIONS, Place.BEAMS)
                        .flatMap(place -> VariantColumns.at(place).stream().map(Column::term));
        return Stream.concat(columns, Stream.of(KINDS, DRAFTERS, COST_CURVE, DIAGNOSIS))
                .distinct()
                .toList();
    }

    /// The terms of a sweep's table.
    public static List<Term> ofSweep() {
        return VariantColumns.at(Place.SWEEP).stream().map(Column::term).toList();
    }

    /// The legend below a table.
    public static final class Legend {
        private static final int WIDTH = 120;

        private Legend() {}

        /// Returns a paragraph for each term, with its heading in front.
        public static String of(List<Term> terms) {
            int indent =
                    terms.stream().mapToInt(term -> term.heading().length()).max().orElse(0) + 2;
            return terms.stream()
                    .map(term -> paragraph(term, indent))
                    .collect(Collectors.joining());
        }

        private static String paragraph(Term term, int indent) {
            var text =
                    new StringBuilder(term.heading())
                            .append(" ".repeat(indent - term.heading().length()));
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
    }
}

package dev.outrider.experiment.report.column;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Everything that needs a definition: the columns, and what a result holds besides.
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
                                            SideColumns.at(Place.KINDS).stream()
                                                    .map(column -> column.term().heading())
                                                    .toList())));
    private static final Term COST_CURVE =
            new Term(
                    "costCurve",
                    "t(n)",
                    "",
                    "mean time of a target pass over n rows, the root included / over one; in a batch, a sequence's share; experts:"
                            + " different experts that such a pass woke, the mean over layers that have any");
    private static final Term DRAFTERS =
            new Term(
                    "drafters",
                    "who earned what",
                    "",
                    "of a union or a cascade: rounds in which a drafter guessed anything, nodes it guessed, accepted ones, accepted"
                            + " ones that nobody else guessed, and accepted over guessed");
    private static final Term DIAGNOSIS =
            new Term(
                    "diagnosis",
                    "diagnose",
                    "",
                    "factors that lead from pred a,c to the speedup; their product is the quotient of the two");

    /// What `details.json` holds besides columns.
    static final List<Term> OTHERS =
            List.of(
                    new Term(
                            "meanNanos",
                            "",
                            "ns",
                            "mean times of a round: draft, score (the target's pass), decide, commit, observe, rest; in a batch a"
                                    + " sequence's share of the pass"),
                    new Term(
                            "counts.histogram",
                            "",
                            "rounds",
                            "rounds by number of accepted guesses, from 0; by request in rounds.jsonl"),
                    KINDS,
                    DRAFTERS,
                    COST_CURVE,
                    DIAGNOSIS,
                    new Term(
                            "looks",
                            "",
                            "",
                            "of a run that continued until it was decided: looks that there could have been and that there were, most"
                                    + " prompts, why it ended"),
                    new Term(
                            "batch",
                            "",
                            "prompts",
                            "prompts decoded together, every round one pass of the target; both sides alike"));

    private Terms() {}

    /// What every number means, by its path.
    public static Map<String, String> definitions() {
        var definitions = new LinkedHashMap<String, String>();
        Stream.concat(SideColumns.ALL.stream().map(Column::term), OTHERS.stream())
                .forEach(term -> definitions.put(term.key(), term.meaning()));
        return definitions;
    }

    /// The words of the table that a run ends with.
    public static List<Term> ofRun() {
        var terms = new ArrayList<Term>();
        SideColumns.at(Place.TABLE).forEach(column -> terms.add(column.term()));
        SideColumns.at(Place.STANDINGS).stream()
                .map(Column::term)
                .filter(term -> !terms.contains(term))
                .forEach(terms::add);
        SideColumns.at(Place.POSITIONS).forEach(column -> terms.add(column.term()));
        SideColumns.at(Place.BEAMS).stream()
                .map(Column::term)
                .filter(term -> !terms.contains(term))
                .forEach(terms::add);
        terms.addAll(List.of(KINDS, COST_CURVE, DIAGNOSIS));
        return terms;
    }

    /// The words of a sweep's table.
    public static List<Term> ofSweep() {
        return SideColumns.at(Place.SWEEP).stream().map(Column::term).toList();
    }
}

package dev.outrider.experiment.report;

import dev.outrider.experiment.run.FailedPrompt;
import dev.outrider.experiment.run.Mismatch;
import dev.outrider.experiment.stats.Finite;
import dev.outrider.experiment.stats.SideStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The table a person reads, with the definition of every number under it.
public final class TextTable {
    private static final String DEFINITIONS =
            """
            tok/s       emitted tokens / time of whole generations, prefill of target and drafter included
            speedup     time per token of plain decoding / of the variant, on the same prompt in the same process, sides
                        interleaved; median over prompts and repetitions [95 % bootstrap interval]
            pred times  E[tokens] t(1) / (t_draft + t(n) + t_rest): tok/round and the mean times of this run's rounds,
                        t(1) a whole round of plain decoding
            pred a,c    (1 - a^(K+1)) / ((1 - a)(K c + 1)): guesses accepted independently, a target pass of n rows as
                        cheap as of one
            tok/round   emitted tokens / target passes, the following token included; plain decoding is 1
            a (alpha)   accepts / (accepts + rejections) over the positions reached
            K           mean depth of the drafts; nodes: mean number of guesses in one
            c           time of one draft step / of one target pass of one row
            engine      the engine's own part of a round: deciding and everything but model passes
            exactness   lossless-in-law: sampled output follows the target's law; greedy-equal: ids equal plain decoding
                        up to rounding in the target's passes; lossy: neither
            evidence    what the output itself says: greedy ids against plain decoding's on every measured prompt, or the
                        smallest p-value of the tests of the law on samples of its own, and their verdict
            per position  accepted at position i / drafts (accepted / tested at i)
            by kind     speedup [95 % interval] and tok/round on the prompts of one kind
            t(n)        mean time of a target pass over n rows, the root included / over one; in a batch, a sequence's share
            diagnose    factors that lead from pred a,c to the speedup; their product is the quotient of the two
            """;

    private TextTable() {}

    /// Lay out a report.
    public static String of(Report report) {
        var text = new StringBuilder();
        if (!report.question().isEmpty()) {
            text.append(report.question().strip()).append("\n\n");
        }
        text.append(rows(report));
        text.append(positions(report));
        text.append(kinds(report));
        text.append(CostTable.of(report));
        text.append(DiagnosisTable.of(report));
        text.append(EvidenceTable.section(report));
        text.append('\n').append(notes(report));
        text.append('\n').append(DEFINITIONS);
        return text.toString();
    }

    private static String rows(Report report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                List.of(
                        "variant",
                        "drafter",
                        "rule",
                        "T",
                        "tok/s",
                        "speedup",
                        "pred times",
                        "pred a,c",
                        "tok/round",
                        "a",
                        "K",
                        "nodes",
                        "c",
                        "engine",
                        "exactness",
                        "evidence"));
        report.sides().forEach(side -> rows.add(row(side, report)));
        return Columns.aligned(rows);
    }

    private static List<String> row(SideStatistics side, Report report) {
        var side = side.side();
        var metrics = side.metrics();
        boolean plain = side.plain();
        double nodes = Finite.orZero(metrics.meanDraftSize());
        return List.of(
                side.name(),
                side.drafter(),
                side.rule(),
                number("%.2f", side.policy().temperature()),
                number("%.1f", side.tokensPerSecond()),
                plain
                        ? "1"
                        : String.format(
                                Locale.ROOT,
                                "%.2f [%.2f, %.2f]",
                                side.speedup().median(),
                                side.speedup().low(),
                                side.speedup().high()),
                plain ? "-" : number("%.2f", side.predictions().byTimes()),
                plain ? "-" : number("%.2f", side.predictions().byAlphaAndCost()),
                number("%.2f", Finite.orZero(metrics.tokensPerRound())),
                plain ? "-" : number("%.3f", Finite.orZero(metrics.alpha())),
                plain ? "-" : number("%.1f", Finite.orZero(metrics.meanDraftLength())),
                plain ? "-" : number("%.1f", nodes),
                plain ? "-" : number("%.3f", side.cost()),
                number("%.1f%%", 100 * Finite.orZero(metrics.engineShare())),
                plain ? "-" : Labels.of(side.losslessness()),
                plain ? "-" : EvidenceTable.cell(report, side));
    }

    private static String positions(Report report) {
        List<List<String>> rows =
                report.sides().stream()
                        .filter(side -> !side.metrics().acceptanceByPosition().isEmpty())
                        .map(TextTable::positions)
                        .toList();
        return rows.isEmpty() ? "" : "\nper position\n" + Columns.aligned(rows);
    }

    private static List<String> positions(SideStatistics side) {
        List<String> row = new ArrayList<>();
        row.add(side.side().name());
        for (int i = 0; i < side.metrics().acceptanceByPosition().size(); i++) {
            row.add(
                    String.format(
                            Locale.ROOT,
                            "%.3f (%.3f)",
                            side.metrics().acceptanceByPosition().get(i),
                            side.metrics().conditionalAcceptanceByPosition().get(i)));
        }
        return row;
    }

    private static String kinds(Report report) {
        if (report.kinds().isEmpty()) {
            return "";
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("variant"));
        report.kinds().forEach(kind -> head.add("%s (%d)".formatted(kind.kind(), kind.prompts())));
        rows.add(head);
        int variants = report.kinds().getFirst().variants().size();
        for (int i = 0; i < variants; i++) {
            List<String> row = new ArrayList<>();
            row.add(report.kinds().getFirst().variants().get(i).variant());
            for (KindReport kind : report.kinds()) {
                var variant = kind.variants().get(i);
                row.add(
                        String.format(
                                Locale.ROOT,
                                "%.2f [%.2f, %.2f] %.2f",
                                variant.speedup().median(),
                                variant.speedup().low(),
                                variant.speedup().high(),
                                variant.tokensPerRound()));
            }
            rows.add(row);
        }
        return "\nby kind (prompts)\n" + Columns.aligned(rows);
    }

    private static String notes(Report report) {
        var text = new StringBuilder();
        text.append(report.prompts()).append(" of ").append(report.planned()).append(" prompts, ");
        text.append(report.repetitions())
                .append(report.repetitions() == 1 ? " repetition" : " repetitions");
        text.append(report.batch() == 1 ? "" : ", %d decoded together".formatted(report.batch()));
        text.append(
                report.interrupted() ? ", interrupted: what was measured until then.\n" : ".\n");
        for (SideStatistics side : report.sides()) {
            long failed = side.metrics().failures();
            if (failed > 0) {
                text.append(
                        "'%s': drafter or rule failed %d times; those generations went on without drafts.%n"
                                .formatted(side.side().name(), failed));
            }
        }
        for (FailedPrompt failure : report.failures()) {
            text.append(
                    "left out of every side: prompt '%s', because '%s' failed: %s\n"
                            .formatted(
                                    failure.prompt(),
                                    failure.side(),
                                    failure.reason().replaceAll("\\s*\\R\\s*", " ")));
        }
        for (Mismatch mismatch : report.mismatches()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "'%s' differs from plain decoding on prompt '%s' at output token %d: %d instead of %d; top-2 logit gap"
                                    + " there %.3g\n",
                            mismatch.side(),
                            mismatch.prompt(),
                            mismatch.position(),
                            mismatch.variant(),
                            mismatch.plain(),
                            mismatch.gap()));
        }
        return text.toString();
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}

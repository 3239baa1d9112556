package dev.outrider.experiment.results;

import dev.outrider.common.Columns;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.GreedyIds;
import dev.outrider.experiment.table.Column;
import dev.outrider.experiment.table.Place;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.table.Table;
import dev.outrider.experiment.table.Value;
import dev.outrider.experiment.table.VariantColumns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The last output of a comparison: a table that fits a screen, warnings, the verdict, and the path of the rest. [TextTable] has
/// everything.
///
/// @param report the results
/// @param target name of the target
/// @param folder of the results
/// @param source the number of prompts of each text of the source, in the order in which a limit takes the texts
public record BriefTable(Report report, String target, Path folder, List<Integer> source) {
    private static final int MAX_WARNINGS = 3;
    private static final int MAX_COSTS = 6;

    /// Version of the shape of the JSON document.
    private static final int FORMAT = 1;

    public BriefTable {
        source = List.copyOf(source);
    }

    /// Returns the table as a text for people.
    public String text() {
        var lines = new ArrayList<String>();
        if (!report.question().isEmpty()) {
            lines.add(report.question().strip());
            lines.add("");
        }
        lines.add(Columns.aligned(Table.of(columns(), report.rows()).shown()).stripTrailing());
        lines.add("");
        var warnings = TextTable.warnings(report);
        lines.addAll(warnings.subList(0, Math.min(MAX_WARNINGS, warnings.size())));
        if (warnings.size() > MAX_WARNINGS) {
            lines.add(
                    "Further warnings with --details: %d"
                            .formatted(warnings.size() - MAX_WARNINGS));
        }
        var tables = RankingTables.of(report.variants());
        tables.forEach(each -> lines.add(verdict(each)));
        if (tables.stream().anyMatch(RankingTables::known)) {
            lines.add(RankingTables.INTERVALS);
        }
        report.interimAnalysis().ifPresent(each -> lines.add(each.shown()));
        lines.add(TextTable.coverage(report) + "." + costs());
        report.shaped().ifPresent(lines::add);
        EvidenceTable.threshold(report).ifPresent(lines::add);
        return String.join("\n", lines) + "\n" + places();
    }

    /// Returns the paths of the other results.
    public String places() {
        return "\nPage: %s\nDetails: %s, printed with --details\n"
                .formatted(folder.resolve("report.html"), folder.resolve("table.txt"));
    }

    /// Returns one JSON document with the content of the text, and the columns of every variant with every digit.
    public String json() {
        var document = new LinkedHashMap<String, Object>();
        document.put("format", FORMAT);
        document.put("question", report.question().strip());
        document.put("target", target);
        document.put("shaped", report.shaped());
        document.put("coverage", report.coverage());
        document.put("interimAnalysis", report.interimAnalysis());
        document.put(
                "verdicts",
                RankingTables.of(report.variants()).stream()
                        .map(each -> new Verdict(each.baseline(), verdict(each)))
                        .toList());
        document.put("warnings", TextTable.warnings(report));
        document.put("variants", VariantColumns.Summary.of(report.rows()));
        document.put("greedyIds", greedyIds());
        document.put("costCurve", report.costCurve());
        document.put("page", folder.resolve("report.html").toString());
        document.put("folder", folder.toString());
        return Json.pretty(document);
    }

    /// Returns by name, for each greedy variant, on how many prompts it wrote the ids of plain decoding.
    private Map<String, GreedyIds> greedyIds() {
        var found = new LinkedHashMap<String, GreedyIds>();
        for (var each : report.variants()) {
            each.exactness().greedyIds().ifPresent(ids -> found.put(each.name(), ids));
        }
        return found;
    }

    /// A verdict in the JSON document.
    record Verdict(String baseline, String verdict) {}

    /// The columns for this machine, and the temperature if there are several.
    private List<Column<VariantResult>> columns() {
        boolean several =
                report.variants().stream().map(VariantResult::temperature).distinct().count() > 1;
        return VariantColumns.ALL.stream()
                .filter(each ->
                        each.places().contains(Place.BENCH)
                                || several && each.term().key().equals("temperature"))
                .toList();
    }

    private String verdict(RankingTables tables) {
        return tables.conclusion() + further(tables);
    }

    /// Returns the command that would decide the open question: with more prompts of the same source, if it has as many. The number
    /// is that of a comparison without interim analyses, which have wider intervals.
    private String further(RankingTables tables) {
        return tables.morePrompts()
                .filter(_ -> report.interimAnalysis().isEmpty())
                .map(more -> report.coverage().prompts() + more)
                .filter(wanted -> wanted > report.coverage().plannedPrompts())
                .map(wanted ->
                        limit(wanted)
                                .map(" With --set prompts.limit=%d they are measured."::formatted)
                                .orElseGet(() ->
                                        " The source has only %d prompts.".formatted(prompts())))
                .orElse("");
    }

    private int prompts() {
        return source.stream().mapToInt(Integer::intValue).sum();
    }

    /// Returns the smallest limit that gives so many prompts; empty if the source has fewer.
    private Optional<Integer> limit(long prompts) {
        int texts = 0;
        long sum = 0;
        while (sum < prompts && texts < source.size()) {
            sum += source.get(texts++);
        }
        return sum < prompts ? Optional.empty() : Optional.of(texts);
    }

    /// The cost curve in a sentence, at the most frequent numbers of rows.
    private String costs() {
        var points =
                report.costCurve().stream()
                        .filter(point -> point.rows() > 1 && point.ratio() > 0)
                        .sorted(Comparator.comparingLong(CostPoint::passes).reversed())
                        .toList();
        String what = report.coverage().batch() == 1 ? "A" : "A sequence's share of a";
        if (points.isEmpty()) {
            return "";
        }
        var shown =
                points.stream()
                        .limit(MAX_COSTS)
                        .sorted(Comparator.comparingInt(CostPoint::rows))
                        .toList();
        var costs =
                shown.stream()
                        .map(each -> Value.decimal(each.ratio(), 2) + " for " + each.rows())
                        .collect(Collectors.joining(", "));
        var few =
                shown.stream()
                        .filter(CostPoint::few)
                        .map(each -> Integer.toString(each.rows()))
                        .collect(Collectors.joining(", "));
        var more = points.size() > MAX_COSTS ? " (more with --details)" : "";
        var counted = few.isEmpty() ? "" : " (under 5 passes for %s)".formatted(few);
        return " %s target pass costs t(n)/t(1) = %s rows%s%s."
                .formatted(what, costs, counted, more);
    }
}

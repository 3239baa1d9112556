package dev.outrider.experiment.report.chart;

import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results;
import dev.outrider.experiment.results.RoundLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rounds of a variant whose drafts are not always as deep as allowed, in the order of the run.
///
/// @param variant its name
/// @param rounds  of all its generations
public record RoundCourse(String variant, List<RoundLine.Round> rounds) {
    /// Returns the variants of a comparison whose length policy gives reasons, and those with a generation in which a draft is
    /// deeper than the one before: in other generations drafts become shorter only at the end of the budget. Empty for sweeps,
    /// which have too many rounds.
    ///
    /// @throws dev.outrider.spi.error.OutriderException DATA_INVALID if the rounds cannot be read
    public static List<RoundCourse> of(Results results) {
        if (results.several()) {
            return List.of();
        }
        var cell = results.cells().getFirst();
        var byVariant = new LinkedHashMap<String, List<RoundLine.Round>>();
        cell.speculative().stream()
                .filter(variant -> variant.beams().isEmpty())
                .forEach(variant -> byVariant.put(variant.name(), new ArrayList<>()));
        var chosen = new HashMap<String, Boolean>();
        Map<String, RoundLine> before = new HashMap<>();
        for (RoundLine line : ResultReader.rounds(cell.folder())) {
            var rounds = byVariant.get(line.variant());
            if (rounds != null) {
                rounds.add(line.round());
                var last = before.put(line.variant(), line);
                boolean deeper =
                        last != null
                                && last.prompt().equals(line.prompt())
                                && last.repetition() == line.repetition()
                                && line.round().depth() > last.round().depth();
                chosen.merge(
                        line.variant(),
                        deeper || line.round().why().isPresent(),
                        Boolean::logicalOr);
            }
        }
        return byVariant.entrySet().stream()
                .filter(each -> chosen.getOrDefault(each.getKey(), false))
                .map(each -> new RoundCourse(each.getKey(), each.getValue()))
                .toList();
    }

    /// The rounds of one reason.
    ///
    /// @param why      the policy's reason; empty if it gives none
    /// @param rounds   number of rounds with this reason
    /// @param share    of all rounds
    /// @param depth    mean depth drafted
    /// @param accepted mean drafted tokens accepted
    /// @param nanos    per emitted token
    public record Reason(
            String why, long rounds, double share, double depth, double accepted, double nanos) {}

    /// Rounds by the reason of their length, the commonest first.
    public List<Reason> reasons() {
        var byReason = new LinkedHashMap<String, List<RoundLine.Round>>();
        rounds.forEach(round ->
                byReason.computeIfAbsent(round.why().orElse(""), _ -> new ArrayList<>())
                        .add(round));
        return byReason.entrySet().stream()
                .map(each -> reason(each.getKey(), each.getValue()))
                .sorted((one, other) -> Long.compare(other.rounds(), one.rounds()))
                .toList();
    }

    private Reason reason(String why, List<RoundLine.Round> with) {
        double tokens = with.stream().mapToInt(RoundLine.Round::emitted).sum();
        double nanos = with.stream().mapToLong(round -> round.times().total()).sum();
        return new Reason(
                why,
                with.size(),
                (double) with.size() / rounds.size(),
                with.stream().mapToInt(RoundLine.Round::depth).average().orElse(0),
                with.stream().mapToInt(RoundLine.Round::accepted).average().orElse(0),
                nanos / Math.max(1, tokens));
    }
}

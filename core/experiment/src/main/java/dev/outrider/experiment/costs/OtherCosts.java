package dev.outrider.experiment.costs;

import dev.outrider.experiment.costs.OrderChange.Reason;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.ResultReader;
import dev.outrider.experiment.report.read.RoundLine;
import dev.outrider.experiment.stats.Ratio;
import dev.outrider.experiment.stats.SideResult;
import dev.outrider.experiment.stats.Standing;
import dev.outrider.experiment.stats.Standings;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/// What a finished comparison would have come to at other costs. Tokens a round are those of the run; a round takes `t(n)` of its rows, its
/// draft, and the rest.
///
/// @param costs    what to call them
/// @param origin   how the target's times were got
/// @param curve    t(n) there, in nanoseconds
/// @param sides    every side that writes one text token by token, plain decoding included
/// @param changes  sides that change places, those that differ most first
/// @param notes    what makes the answer doubtful
public record OtherCosts(
        String costs,
        String origin,
        SortedMap<Integer, Double> curve,
        List<PricedSide> sides,
        List<OrderChange> changes,
        List<String> notes) {
    public OtherCosts {
        sides = List.copyOf(sides);
        changes = List.copyOf(changes);
        notes = List.copyOf(notes);
    }

    /// Works it out.
    ///
    /// @param cell  results of a comparison
    /// @param there the other costs
    /// @throws OutriderException DATA_INVALID if prompts were decoded together, whose rounds share their times, or no rounds were kept
    public static OtherCosts of(Cell cell, Costs there) {
        if (cell.report().batch() > 1) {
            throw refused(
                    "'%s' decoded %d prompts together: a round's rows are not those of its pass"
                            .formatted(cell.folder(), cell.report().batch()),
                    "Run the comparison with batch 1.");
        }
        var rounds = ResultReader.rounds(cell);
        if (rounds.isEmpty()) {
            throw refused(
                    "'%s' has no rounds.jsonl with rounds".formatted(cell.folder()),
                    "Run the comparison again.");
        }
        return new Pricing(cell, rounds, MeasuredCosts.of(cell), there).result();
    }

    private static OutriderException refused(String problem, String remedy) {
        return new OutriderException(ErrorCode.DATA_INVALID, problem, remedy);
    }

    /// Both prices of the rounds.
    private static final class Pricing {
        private final List<SideResult> sides;
        private final Costs costs;
        private final Repricing here;
        private final Repricing there;
        private final int mostRows;

        Pricing(Cell cell, List<RoundLine> rounds, Costs own, Costs other) {
            this.sides =
                    cell.report().sides().stream().filter(side -> side.beams().isEmpty()).toList();
            this.costs = other;
            this.here = Repricing.of(rounds, own);
            this.there = Repricing.of(rounds, other);
            this.mostRows =
                    rounds.stream().mapToInt(line -> line.round().nodes() + 1).max().orElse(1);
        }

        OtherCosts result() {
            var standings = standings(there);
            var before = standings(here);
            var priced =
                    sides.stream()
                            .filter(side -> standings.containsKey(side.name()))
                            .map(side -> priced(side, before, standings))
                            .toList();
            return new OtherCosts(
                    costs.name(),
                    costs.origin(),
                    costs.target().points(),
                    priced,
                    changes(before, standings),
                    notes());
        }

        private Map<String, Standing> standings(Repricing prices) {
            var standings = new LinkedHashMap<String, Standing>();
            sides.stream()
                    .collect(
                            Collectors.groupingBy(
                                    SideResult::baseline,
                                    LinkedHashMap::new,
                                    Collectors.mapping(SideResult::name, Collectors.toList())))
                    .values()
                    .forEach(names -> {
                        double[][] rows = prices.speeds().rows(names);
                        if (rows.length > 0) {
                            standings.putAll(Standings.of(names, rows, 1, Standings.ALPHA, 0));
                        }
                    });
            return standings;
        }

        private PricedSide priced(
                SideResult side, Map<String, Standing> before, Map<String, Standing> after) {
            Parts parts = parts(there, side.name());
            double rounds = side.counts().rounds() * costs.target().at(1);
            return new PricedSide(
                    side.name(),
                    side.baseline(),
                    side.tokensPerRound(),
                    toPlain(side, before),
                    toPlain(side, after),
                    parts.draft() / rounds,
                    parts.pass() / rounds,
                    parts.engine() / rounds,
                    side.plain() ? "" : costs.originOf(side.name()),
                    standing(after, side.name()));
        }

        private static Ratio toPlain(SideResult side, Map<String, Standing> standings) {
            return standing(standings, side.name()).against().stream()
                    .filter(each -> each.variant().equals(side.baseline()))
                    .map(Standing.Against::ratio)
                    .findFirst()
                    .orElse(Ratio.ONE);
        }

        private static Standing standing(Map<String, Standing> standings, String name) {
            return Optional.ofNullable(standings.get(name)).orElseThrow();
        }

        private static Parts parts(Repricing prices, String name) {
            return prices.parts().getOrDefault(name, Parts.NONE);
        }

        private List<OrderChange> changes(
                Map<String, Standing> before, Map<String, Standing> after) {
            var changes = new ArrayList<OrderChange>();
            for (SideResult faster : sides) {
                for (SideResult slower : sides) {
                    if (faster.baseline().equals(slower.baseline())
                            && before.containsKey(faster.name())) {
                        change(faster, slower, before, after).ifPresent(changes::add);
                    }
                }
            }
            changes.sort((one, other) -> Double.compare(other.there(), one.there()));
            return changes;
        }

        private Optional<OrderChange> change(
                SideResult faster,
                SideResult slower,
                Map<String, Standing> before,
                Map<String, Standing> after) {
            Optional<Ratio> was = ratio(before, faster, slower);
            Optional<Ratio> is = ratio(after, faster, slower);
            if (was.isEmpty() || is.isEmpty() || was.get().mean() >= 1 || is.get().mean() <= 1) {
                return Optional.empty();
            }
            return Optional.of(
                    new OrderChange(
                            faster.name(),
                            slower.name(),
                            was.get().mean(),
                            is.get().mean(),
                            is.get().above(1),
                            reason(faster, slower)));
        }

        private static Optional<Ratio> ratio(
                Map<String, Standing> standings, SideResult side, SideResult other) {
            return standing(standings, side.name()).against().stream()
                    .filter(each -> each.variant().equals(other.name()))
                    .map(Standing.Against::ratio)
                    .findFirst();
        }

        /// Which part alone, at the other costs, would change the quotient of the two most. Costs are in units of a plain token.
        private Reason reason(SideResult faster, SideResult slower) {
            Parts fastHere = unit(here, faster);
            Parts slowHere = unit(here, slower);
            Parts fast = unit(there, faster);
            Parts slow = unit(there, slower);
            double now = slowHere.total() / fastHere.total();
            var effects = new EnumMap<Reason, Double>(Reason.class);
            effects.put(
                    Reason.DRAFTS,
                    (slowHere.total() + slow.draft() - slowHere.draft())
                            / (fastHere.total() + fast.draft() - fastHere.draft()));
            effects.put(
                    Reason.ROWS,
                    (slowHere.total() + slow.pass() - slowHere.pass())
                            / (fastHere.total() + fast.pass() - fastHere.pass()));
            effects.put(
                    Reason.ENGINE,
                    (slowHere.total() + slow.engine() - slowHere.engine())
                            / (fastHere.total() + fast.engine() - fastHere.engine()));
            return effects.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .filter(most -> most.getValue() > now)
                    .map(Map.Entry::getKey)
                    .orElse(Reason.ROWS);
        }

        private static Parts unit(Repricing prices, SideResult side) {
            Parts plain = parts(prices, side.baseline());
            return parts(prices, side.name()).perToken(plain.total() / plain.tokens());
        }

        private List<String> notes() {
            var notes = new ArrayList<String>();
            if (mostRows > costs.target().mostRows()) {
                notes.add(
                        "Passes of more than %d rows, up to %d, were not timed there: a line is drawn on."
                                .formatted(costs.target().mostRows(), mostRows));
            }
            notes.add(
                    "Prompts vary, costs do not: the intervals say nothing of how well t(n) and drafts were timed. Prefill is left out.");
            return notes;
        }
    }
}

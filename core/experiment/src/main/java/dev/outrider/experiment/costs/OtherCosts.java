package dev.outrider.experiment.costs;

import dev.outrider.experiment.costs.OtherCosts.OrderChange.Reason;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.PromptSpeeds;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Rankings;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.ToDoubleFunction;

/// The results of a finished comparison at other costs. Tokens a round are those of the run; a round takes `t(n)` of its rows, its
/// draft, and the rest.
///
/// @param costs    name of the costs
/// @param origin   how the target's times were obtained
/// @param curve    t(n) there, in nanoseconds
/// @param variants    every variant that writes one text token by token, plain decoding included
/// @param changes  pairs of variants whose order changes, the largest changes first
/// @param notes    reasons to doubt the answer
public record OtherCosts(
        String costs,
        String origin,
        SortedMap<Integer, Double> curve,
        List<PricedVariant> variants,
        List<OrderChange> changes,
        List<String> notes) {
    /// Computes the results.
    ///
    /// @param cell  results of a comparison
    /// @param there the other costs
    /// @throws OutriderException DATA_INVALID if prompts were decoded together, whose rounds share their times, or no rounds were kept
    public static OtherCosts of(Cell cell, Costs there) {
        if (cell.report().coverage().batch() > 1) {
            throw ErrorCode.DATA_INVALID.error(
                    "'%s' decoded %d prompts together: a round's rows are not those of its pass"
                            .formatted(cell.folder(), cell.report().coverage().batch()),
                    "Run the comparison with batch 1.");
        }
        var rounds = ResultReader.requiredRounds(cell.folder());
        return new Pricing(cell, rounds, MeasuredCosts.of(cell), there).result();
    }

    /// The rounds at both costs.
    private static final class Pricing {
        private final List<VariantResult> variants;
        private final Costs costs;
        private final Repricing here;
        private final Repricing there;
        private final int mostRows;

        Pricing(Cell cell, List<RoundLine> rounds, Costs own, Costs other) {
            this.variants =
                    cell.report().variants().stream()
                            .filter(variant -> variant.beams().isEmpty())
                            .toList();
            this.costs = other;
            this.here = Repricing.of(rounds, own, variants);
            this.there = Repricing.of(rounds, other, variants);
            this.mostRows =
                    rounds.stream().mapToInt(line -> line.round().nodes() + 1).max().orElse(1);
        }

        OtherCosts result() {
            return new OtherCosts(
                    costs.name(),
                    costs.origin(),
                    costs.target().points(),
                    variants.stream()
                            .filter(variant -> there.rankings().containsKey(variant.name()))
                            .map(this::priced)
                            .toList(),
                    changes(),
                    notes());
        }

        private PricedVariant priced(VariantResult variant) {
            Parts parts = there.parts(variant.name());
            double rounds = variant.counts().rounds() * costs.target().at(1);
            return new PricedVariant(
                    variant.name(),
                    variant.baseline(),
                    variant.tokensPerRound(),
                    here.ratio(variant.name(), variant.baseline()).orElse(Interval.ONE),
                    there.ratio(variant.name(), variant.baseline()).orElse(Interval.ONE),
                    parts.draft() / rounds,
                    parts.pass() / rounds,
                    parts.engine() / rounds,
                    variant.plain() ? "" : costs.originOf(variant.name()),
                    there.ranking(variant.name()));
        }

        private List<OrderChange> changes() {
            var changes = new ArrayList<OrderChange>();
            for (VariantResult faster : variants) {
                for (VariantResult slower : variants) {
                    if (faster.baseline().equals(slower.baseline())
                            && here.rankings().containsKey(faster.name())) {
                        change(faster, slower).ifPresent(changes::add);
                    }
                }
            }
            changes.sort((one, other) -> Double.compare(other.there(), one.there()));
            return changes;
        }

        private Optional<OrderChange> change(VariantResult faster, VariantResult slower) {
            Optional<Interval> was = here.ratio(faster.name(), slower.name());
            Optional<Interval> is = there.ratio(faster.name(), slower.name());
            return was.isEmpty() || is.isEmpty() || was.get().value() >= 1 || is.get().value() <= 1
                    ? Optional.empty()
                    : Optional.of(
                            new OrderChange(
                                    faster.name(),
                                    slower.name(),
                                    was.get().value(),
                                    is.get().value(),
                                    is.get().above(1),
                                    reason(faster, slower)));
        }

        /// Returns the part that would change the quotient of the two most if it alone had the other costs. Costs are in units of a
        /// plain token.
        private Reason reason(VariantResult faster, VariantResult slower) {
            Parts fastHere = here.unit(faster);
            Parts slowHere = here.unit(slower);
            Parts fast = there.unit(faster);
            Parts slow = there.unit(slower);
            var most = Reason.ROWS;
            double greatest = slowHere.total() / fastHere.total();
            for (var reason : Reason.values()) {
                var part = reason.part;
                double effect =
                        (slowHere.total() + part.applyAsDouble(slow) - part.applyAsDouble(slowHere))
                                / (fastHere.total()
                                        + part.applyAsDouble(fast)
                                        - part.applyAsDouble(fastHere));
                if (effect > greatest) {
                    greatest = effect;
                    most = reason;
                }
            }
            return most;
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

    /// Two variants whose order changes.
    ///
    /// @param faster    the faster one at the other costs
    /// @param slower    the faster one at the costs of the run itself
    /// @param here      speed of `faster` over that of `slower` in the run; below 1
    /// @param there     the same at the other costs; above 1
    /// @param shown     whether the intervals at the other costs show it
    /// @param reason    the part of a round that changes most between the two
    public record OrderChange(
            String faster, String slower, double here, double there, boolean shown, Reason reason) {
        /// A part of the cost of a token.
        public enum Reason {
            DRAFTS("drafts", Parts::draft),
            ROWS("rows of the target's pass", Parts::pass),
            ENGINE("the rest of a round", Parts::engine);

            private final String shown;
            private final ToDoubleFunction<Parts> part;

            Reason(String shown, ToDoubleFunction<Parts> part) {
                this.shown = shown;
                this.part = part;
            }
        }

        /// Returns the reason as a part of a sentence.
        public String sentence() {
            return String.format(
                    Locale.ROOT,
                    "'%s' passes '%s': %.2f times as fast here, %.2f there%s; mostly because of %s.",
                    faster,
                    slower,
                    here,
                    there,
                    shown ? "" : " (not shown by the interval)",
                    reason.shown);
        }
    }

    /// The cost of tokens, part by part, in nanoseconds.
    ///
    /// @param tokens emitted
    /// @param draft  of drafts
    /// @param pass   of the target's passes
    /// @param engine of everything else
    record Parts(long tokens, double draft, double pass, double engine) {
        private static final Parts NONE = new Parts(0, 0, 0, 0);

        Parts plus(Parts other) {
            return new Parts(
                    tokens + other.tokens,
                    draft + other.draft,
                    pass + other.pass,
                    engine + other.engine);
        }

        double total() {
            return draft + pass + engine;
        }

        /// Returns the parts of one token in some unit.
        Parts perToken(double unit) {
            double by = tokens * unit;
            return new Parts(1, draft / by, pass / by, engine / by);
        }
    }

    /// A variant at other costs. Speedups are over plain decoding at the same costs, geometric means over prompts.
    ///
    /// @param variant        name of the variant
    /// @param baseline       name of the plain decoding it is compared with
    /// @param tokensPerRound as measured
    /// @param here           speedup at the costs of the run itself
    /// @param there          speedup at the other costs
    /// @param draft          mean time of a draft there, in passes of one row
    /// @param pass           mean time of a target pass there, in passes of one row
    /// @param engine         mean time of the rest of a round there, in passes of one row
    /// @param draftOrigin    where the costs of drafts are from
    /// @param ranking        among the variants of one baseline, at the other costs
    public record PricedVariant(
            String variant,
            String baseline,
            double tokensPerRound,
            Interval here,
            Interval there,
            double draft,
            double pass,
            double engine,
            String draftOrigin,
            Ranking ranking) {
        /// Whether this is plain decoding.
        public boolean plain() {
            return variant.equals(baseline);
        }

        /// Returns whether it is faster than plain decoding there: only if the whole interval is above 1.
        public String pays() {
            if (plain()) {
                return "-";
            }
            if (there.above(1)) {
                return "pays";
            }
            return there.below(1) ? "loses" : "not shown";
        }
    }

    /// The rounds of a comparison at other costs: drafts and acceptance are the same, times are not. Prefill is left out, also for
    /// plain decoding.
    ///
    /// @param parts    by variant, all rounds together
    /// @param rankings by variant
    private record Repricing(Map<String, Parts> parts, Map<String, Ranking> rankings) {
        /// One generation.
        private record Generation(String variant, String prompt, int repetition) {}

        static Repricing of(List<RoundLine> rounds, Costs costs, List<VariantResult> variants) {
            var generations = new LinkedHashMap<Generation, Parts>();
            for (RoundLine line : rounds) {
                generations.merge(
                        new Generation(line.variant(), line.prompt(), line.repetition()),
                        parts(line.variant(), line.round(), costs),
                        Parts::plus);
            }
            var parts = new LinkedHashMap<String, Parts>();
            var prompts = new HashMap<String, Integer>();
            var speeds = new PromptSpeeds();
            generations.forEach((generation, each) -> {
                parts.merge(generation.variant(), each, Parts::plus);
                int prompt = prompts.computeIfAbsent(generation.prompt(), _ -> prompts.size());
                if (each.tokens() > 0) {
                    speeds.add(generation.variant(), prompt, each.tokens() / each.total());
                }
            });
            var baselines = new LinkedHashMap<String, String>();
            variants.forEach(variant -> baselines.put(variant.name(), variant.baseline()));
            return new Repricing(parts, Rankings.of(baselines, speeds, 1, Rankings.ALPHA, 0));
        }

        private static Parts parts(String variant, RoundLine.Round round, Costs costs) {
            var times = round.times();
            double draft =
                    Optional.ofNullable(costs.drafters().get(variant))
                            .map(each -> round.depth() == 0 ? 0 : each.of(round.depth()))
                            .orElse((double) times.draft());
            double engine =
                    Optional.ofNullable(costs.engine().get(variant))
                            .map(each -> each.of(round.depth()))
                            .orElse((double) (times.total() - times.draft() - times.score()));
            return new Parts(round.emitted(), draft, costs.target().at(round.nodes() + 1), engine);
        }

        Parts parts(String name) {
            return parts.getOrDefault(name, Parts.NONE);
        }

        Parts unit(VariantResult variant) {
            Parts plain = parts(variant.baseline());
            return parts(variant.name()).perToken(plain.total() / plain.tokens());
        }

        Ranking ranking(String name) {
            return Optional.ofNullable(rankings.get(name)).orElseThrow();
        }

        Optional<Interval> ratio(String variant, String other) {
            return ranking(variant).against().stream()
                    .filter(each -> each.variant().equals(other))
                    .map(Ranking.Against::ratio)
                    .findFirst();
        }
    }
}

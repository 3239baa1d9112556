package dev.outrider.experiment.table;

import static dev.outrider.experiment.table.VariantColumns.Place.BEAMS;
import static dev.outrider.experiment.table.VariantColumns.Place.COMPARISON;
import static dev.outrider.experiment.table.VariantColumns.Place.KINDS;
import static dev.outrider.experiment.table.VariantColumns.Place.PAGE;
import static dev.outrider.experiment.table.VariantColumns.Place.POSITIONS;
import static dev.outrider.experiment.table.VariantColumns.Place.RANKINGS;
import static dev.outrider.experiment.table.VariantColumns.Place.SWEEP;
import static dev.outrider.experiment.table.VariantColumns.Place.TABLE;

import dev.outrider.experiment.stats.Diagnosis.Finite;
import dev.outrider.experiment.stats.LearningCurve;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.table.Value.Absent;
import dev.outrider.experiment.table.Value.Base;
import dev.outrider.experiment.table.Value.Count;
import dev.outrider.experiment.table.Value.Factor;
import dev.outrider.experiment.table.Value.Finding;
import dev.outrider.experiment.table.Value.Number;
import dev.outrider.experiment.table.Value.Series;
import dev.outrider.experiment.table.Value.Share;
import dev.outrider.experiment.table.Value.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Every number of a variant that has a column, in order. A new metric is a component of [VariantResult], a line here, and a row of
/// `docs/guide/reports.md`, which the test of that file spells out where it is missing.
public final class VariantColumns {
    private static final Value NOT_OF_PLAIN = new Absent("-");

    private VariantColumns() {}

    /// The columns.
    public static final List<Column<VariantResult>> ALL =
            List.of(
                    words("variant", "variant", "name in the configuration", VariantResult::name)
                            .at(TABLE, PAGE, SWEEP, BEAMS, RANKINGS),
                    words("drafter", "drafter", "what guesses", VariantResult::drafter)
                            .at(TABLE, PAGE, BEAMS),
                    words("rule", "rule", "what accepts", VariantResult::rule)
                            .at(TABLE, PAGE, SWEEP),
                    number(
                                    "temperature",
                                    "T",
                                    "sampling temperature; 0 is greedy",
                                    2,
                                    VariantResult::temperature)
                            .at(TABLE, PAGE, SWEEP),
                    of(
                                    "beams",
                                    "beams",
                                    "",
                                    "texts that a beam search follows at a time",
                                    variant ->
                                            variant.beams()
                                                    .<Value>map(Count::new)
                                                    .orElse(new Absent("-")))
                            .at(BEAMS),
                    number(
                                    "tokensPerSecond",
                                    "tokens/s",
                                    "emitted tokens / time of whole generations, prefill of target and drafter included",
                                    1,
                                    variant -> variant.speed().tokensPerSecond())
                            .in("tokens/s")
                            .at(TABLE, PAGE),
                    of(
                                    "speedup",
                                    "speedup",
                                    "",
                                    "time per token of plain decoding / of the variant, on the same prompt in the same process, variants"
                                            + " interleaved, in a batch of the prompts decoded together; median over prompts and"
                                            + " repetitions [95 % bootstrap interval]",
                                    variant ->
                                            variant.plain()
                                                    ? new Base(variant.speedup())
                                                    : new Span(variant.speedup(), 2))
                            .at(TABLE, PAGE, SWEEP, KINDS, COMPARISON, BEAMS),
                    ofVariants(
                                    number(
                                            "expectedSpeedup",
                                            "expected",
                                            "E[tokens] t(1) / (t_draft + t(n) + t_rest): tokens/round and the mean times of this run's"
                                                    + " rounds, t(1) a whole round of plain decoding",
                                            2,
                                            VariantResult::expectedSpeedup))
                            .at(TABLE, PAGE, SWEEP),
                    ofVariants(
                                    number(
                                            "formulaSpeedup",
                                            "formula",
                                            "(1 - a^(K+1)) / ((1 - a)(K c + 1)): guesses accepted independently, a target pass of n"
                                                    + " rows as cheap as of one",
                                            2,
                                            VariantResult::formulaSpeedup))
                            .at(TABLE, PAGE),
                    number(
                                    "tokensPerRound",
                                    "tokens/round",
                                    "emitted tokens / target passes, the following token included; plain decoding is 1 (tau, MAT,"
                                            + " block efficiency); of a beam search, steps / target passes",
                                    2,
                                    VariantResult::tokensPerRound)
                            .at(TABLE, PAGE, SWEEP, KINDS, COMPARISON, BEAMS),
                    of(
                                    "targetPasses",
                                    "target passes",
                                    "",
                                    "target passes after the prompts, of all measured generations",
                                    variant -> new Count(variant.counts().rounds()))
                            .at(BEAMS),
                    of(
                                    "passesSaved",
                                    "passes saved",
                                    "",
                                    "1 - target passes / those of plain decoding, or of plain search with the same settings",
                                    variant ->
                                            new Share(
                                                    Finite.orZero(variant.counts().passesSaved())))
                            .at(BEAMS),
                    number(
                                    "rowsPerPass",
                                    "rows/pass",
                                    "mean number of rows of a target pass: the root or the live beams, and guesses",
                                    1,
                                    VariantResult::rowsPerPass)
                            .at(BEAMS),
                    ofVariants(
                                    number(
                                            "alpha",
                                            "accept",
                                            "alpha: accepts / (accepts + rejections) over the positions reached; estimates the mean of"
                                                    + " beta = sum min(p, q); of a beam search, over steps: accepted if all live beams had been guessed",
                                            3,
                                            VariantResult::alpha))
                            .at(TABLE, PAGE, SWEEP, COMPARISON),
                    ofVariants(
                                    number(
                                            "draftLength",
                                            "draft length",
                                            "mean depth of the drafts",
                                            1,
                                            VariantResult::draftLength))
                            .at(TABLE, PAGE, SWEEP, COMPARISON),
                    ofVariants(
                                    number(
                                            "draftNodes",
                                            "draft nodes",
                                            "mean number of guesses in a draft",
                                            1,
                                            variant ->
                                                    Finite.orZero(
                                                            variant.counts().meanDraftSize())))
                            .at(TABLE, PAGE),
                    series(
                                    "acceptanceByPosition",
                                    "by position",
                                    "accepted at position i / drafts",
                                    VariantResult::acceptanceByPosition)
                            .at(POSITIONS),
                    series(
                                    "conditionalAcceptanceByPosition",
                                    "(if reached)",
                                    "accepted at position i / drafts that reached position i",
                                    VariantResult::conditionalAcceptanceByPosition)
                            .at(POSITIONS),
                    ofVariants(
                                    number(
                                            "draftCost",
                                            "draft cost",
                                            "time of one draft step / of one target pass of one row, both measured",
                                            3,
                                            VariantResult::draftCost))
                            .at(TABLE, PAGE, SWEEP),
                    of(
                                    "engineShare",
                                    "engine share",
                                    "",
                                    "the engine's own part of a round: deciding and everything but model passes",
                                    variant ->
                                            new Share(
                                                    Finite.orZero(variant.counts().engineShare())))
                            .at(TABLE, PAGE, SWEEP),
                    ofVariants(
                                    words(
                                            "losslessness",
                                            "losslessness",
                                            "lossless-in-distribution: sampled output follows the target's distribution; greedy-equal: ids equal plain"
                                                    + " decoding up to rounding in the target's passes (target vector has none);"
                                                    + " beam-equal: the same of plain search's hypotheses and scores;"
                                                    + " lossy: neither",
                                            variant -> variant.exactness().losslessness()))
                            .at(TABLE, PAGE, SWEEP),
                    ofVariants(
                                    of(
                                            "evidence",
                                            "exactness test",
                                            "",
                                            "what the output itself says: greedy ids against plain decoding's on every measured prompt,"
                                                    + " or the smallest p-value of the tests of the distribution on samples of its own, and their"
                                                    + " verdict",
                                            VariantColumns::evidence))
                            .at(TABLE, PAGE, SWEEP, COMPARISON),
                    number(
                            "draftAcceptanceRate",
                            "accepted/drafted",
                            "accepted / drafted guesses; falls with the draft length; of a beam search, those that became live beams",
                            3,
                            variant -> Finite.orZero(variant.counts().draftAcceptanceRate())),
                    of(
                            "wastedTokens",
                            "wasted tokens",
                            "tokens",
                            "guesses drafted and scored that were not accepted; each is also a row of the cache that was computed"
                                    + " and dropped",
                            variant -> new Count(variant.counts().wasted())),
                    of(
                            "memoryBoundSpeedup",
                            "MBSU",
                            "",
                            "tokens/round / (parameter ratio x draft steps + 1), which knows nothing of the hardware; nothing where a"
                                    + " model does not say its parameters",
                            variant ->
                                    variant.speed()
                                            .memoryBound()
                                            .<Value>map(each -> new Number(each, 2))
                                            .orElse(NOT_OF_PLAIN)),
                    millis(
                            "latencyMillis.firstToken",
                            "first token",
                            "median time to the first token: prefill and first round",
                            variant -> variant.speed().latencyMillis().firstToken()),
                    millis(
                            "latencyMillis.p50",
                            "token p50",
                            "median time of a token, the tokens of a round sharing its time; in a batch, of the sequence's share",
                            variant -> variant.speed().latencyMillis().p50()),
                    millis(
                            "latencyMillis.p90",
                            "token p90",
                            "90th percentile of the same",
                            variant -> variant.speed().latencyMillis().p90()),
                    millis(
                            "latencyMillis.p99",
                            "token p99",
                            "99th percentile of the same",
                            variant -> variant.speed().latencyMillis().p99()),
                    of(
                            "generations",
                            "generations",
                            "",
                            "measured generations, one for each prompt and repetition",
                            variant -> new Count(variant.speed().generations())),
                    course(
                            "learningCurve.learnShare",
                            "learning share",
                            "share of the variant's time that its drafter learned in; it counts in tokens/s and speedup",
                            each -> new Share(each.learnShare())),
                    course(
                            "learningCurve.tokensPerRound",
                            "tokens/round by thirds",
                            "of the first, second and last third of the prompts, in the order they came; where a drafter of the run learns",
                            each -> new Series(each.tokensPerRound(), 3)),
                    course(
                            "learningCurve.alpha",
                            "accept by thirds",
                            "the same of alpha",
                            each -> new Series(each.alpha(), 3)),
                    ranking(
                                    "ranking.probabilityBest",
                                    "P(best)",
                                    "share of resampled sets of prompts on which it is the fastest of the variants with its sampling, plain"
                                            + " decoding among them",
                                    each -> new Number(each.probabilityBest(), 3))
                            .at(RANKINGS),
                    ranking(
                                    "ranking.toBest",
                                    "vs fastest",
                                    "tokens/s / those of the fastest variant on the same prompts, geometric mean [95 % interval for all pairs"
                                            + " of such variants together]",
                                    each -> new Factor(each.toBest(), 2))
                            .at(RANKINGS),
                    ranking(
                                    "ranking.verdict",
                                    "verdict",
                                    "what these intervals say: fastest, slower, tied (within 2 %), or not told apart",
                                    each ->
                                            new Finding(
                                                    each.verdict().shown(),
                                                    Optional.of(each.verdict())))
                            .at(RANKINGS),
                    ranking(
                                    "ranking.morePrompts",
                                    "more prompts",
                                    "about how many more would decide it with a chance of 80 %, if they differ as these do",
                                    each ->
                                            each.morePrompts()
                                                    .<Value>map(Count::new)
                                                    .orElse(new Absent("-")))
                            .in("prompts")
                            .at(RANKINGS),
                    ranking(
                            "ranking.against",
                            "pairs",
                            "tokens/s / those of each other variant on the same prompts, with the same intervals",
                            VariantColumns::against));

    /// Columns that [#ALL] lists. Plain decoding has no value in those of variants.
    private static Column<VariantResult> of(
            String key,
            String heading,
            String unit,
            String definition,
            Function<VariantResult, Value> value) {
        return Column.of(key, heading, unit, definition, value);
    }

    private static Column<VariantResult> words(
            String key, String heading, String definition, Function<VariantResult, String> text) {
        return Column.words(key, heading, definition, text);
    }

    private static Column<VariantResult> number(
            String key,
            String heading,
            String definition,
            int decimals,
            ToDoubleFunction<VariantResult> number) {
        return Column.number(key, heading, definition, decimals, number);
    }

    private static Column<VariantResult> millis(
            String key, String heading, String definition, ToDoubleFunction<VariantResult> millis) {
        return number(key, heading, definition, 2, millis).in("ms");
    }

    private static Column<VariantResult> series(
            String key,
            String heading,
            String definition,
            Function<VariantResult, List<Double>> numbers) {
        return of(key, heading, "", definition, variant -> new Series(numbers.apply(variant), 3));
    }

    private static Column<VariantResult> ofVariants(Column<VariantResult> column) {
        return new Column<>(
                column.term(),
                column.places(),
                variant -> variant.plain() ? NOT_OF_PLAIN : column.value().apply(variant));
    }

    private static Column<VariantResult> ranking(
            String key, String heading, String definition, Function<Ranking, Value> value) {
        return of(
                key,
                heading,
                "",
                definition,
                variant -> variant.ranking().map(value).orElse(new Absent("-")));
    }

    private static Column<VariantResult> course(
            String key, String heading, String definition, Function<LearningCurve, Value> value) {
        return of(
                key,
                heading,
                "",
                definition,
                variant -> variant.learningCurve().map(value).orElse(new Absent("-")));
    }

    private static Value against(Ranking ranking) {
        return new Finding(
                ranking.against().stream()
                        .map(each ->
                                "%s %s"
                                        .formatted(
                                                each.variant(),
                                                new Factor(each.ratio(), 2).shown()))
                        .collect(Collectors.joining("; ")),
                Optional.of(ranking.against()));
    }

    private static Value evidence(VariantResult variant) {
        String greedy =
                variant.exactness()
                        .greedyIds()
                        .map(ids -> "ids equal %d/%d".formatted(ids.equal(), ids.prompts()))
                        .orElse("not tested");
        String shown =
                variant.exactness()
                        .evidence()
                        .filter(_ -> variant.exactness().greedyIds().isEmpty())
                        .map(found ->
                                String.format(
                                        Locale.ROOT,
                                        "%s, p %.2g, n %d",
                                        found.verdict(),
                                        found.smallestP(),
                                        found.observations()))
                        .orElse(greedy);
        return new Finding(shown, variant.exactness().evidence());
    }

    /// The columns that a place shows, in order.
    public static List<Column<VariantResult>> at(Place place) {
        return Column.at(place, ALL);
    }

    /// The places where a column is shown. `summary.json` and `summary.csv` have all of them.
    public enum Place {
        /// The table that a run ends with, and its legend.
        TABLE("table"),
        /// `report.html` and `report.md`.
        PAGE("report"),
        /// The table of a sweep.
        SWEEP("sweep"),
        /// The table of each kind of prompt.
        KINDS("kinds"),
        /// The table of each position of a draft.
        POSITIONS("positions"),
        /// The table of beam searches.
        BEAMS("beams"),
        /// The ranking.
        RANKINGS("rankings"),
        /// Two results beside each other.
        COMPARISON("two results");

        private final String shown;

        Place(String shown) {
            this.shown = shown;
        }

        /// As the documentation calls it.
        public String shown() {
            return shown;
        }
    }

    /// `summary.json`: an object for each variant, plain decoding included, with every column by its key. A point in a key is an object in an object.
    public static final class Summary {
        private Summary() {}

        /// The objects of some variants.
        public static List<Map<String, Object>> of(List<VariantResult> variants) {
            return variants.stream().map(Summary::of).toList();
        }

        private static Map<String, Object> of(VariantResult variant) {
            var object = new LinkedHashMap<String, Object>();
            for (Column<VariantResult> column : VariantColumns.ALL) {
                put(object, column.term().key(), column.value().apply(variant).exact());
            }
            return object;
        }

        @SuppressWarnings("unchecked") // an object below a point is one that was put there
        private static void put(Map<String, Object> object, String key, Object value) {
            int point = key.indexOf('.');
            if (point < 0) {
                object.put(key, value);
                return;
            }
            var below =
                    (Map<String, Object>)
                            object.computeIfAbsent(
                                    key.substring(0, point),
                                    _ -> new LinkedHashMap<String, Object>());
            put(below, key.substring(point + 1), value);
        }
    }
}

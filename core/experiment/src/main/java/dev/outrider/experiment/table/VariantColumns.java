package dev.outrider.experiment.table;

import static dev.outrider.experiment.table.Column.of;
import static dev.outrider.experiment.table.Column.words;
import static dev.outrider.experiment.table.Place.BEAMS;
import static dev.outrider.experiment.table.Place.BENCH;
import static dev.outrider.experiment.table.Place.COMPARISON;
import static dev.outrider.experiment.table.Place.KINDS;
import static dev.outrider.experiment.table.Place.PAGE;
import static dev.outrider.experiment.table.Place.POSITIONS;
import static dev.outrider.experiment.table.Place.RANKINGS;
import static dev.outrider.experiment.table.Place.SWEEP;
import static dev.outrider.experiment.table.Place.TABLE;

import dev.outrider.experiment.stats.Diagnosis.Finite;
import dev.outrider.experiment.stats.LearningCurve;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// Every number of a variant that has a column, in order. A new metric is a component of [VariantResult], a line here, and a row of
/// `docs/guide/reports.md`, which the test of that file spells out where it is missing.
public final class VariantColumns {
    private VariantColumns() {}

    /// The columns.
    public static final List<Column<VariantResult>> ALL =
            List.of(
                    words("variant", "variant", VariantResult::name)
                            .meaning("name in the configuration")
                            .at(BENCH, TABLE, PAGE, SWEEP, BEAMS, RANKINGS),
                    words("drafter", "drafter", VariantResult::drafter)
                            .meaning("what guesses")
                            .at(TABLE, PAGE, BEAMS),
                    words("rule", "rule", VariantResult::rule)
                            .meaning("what accepts")
                            .at(TABLE, PAGE, SWEEP),
                    number("temperature", "T", 2, VariantResult::temperature)
                            .meaning("sampling temperature; 0 is greedy")
                            .at(TABLE, PAGE, SWEEP),
                    optional("beams", "beams", VariantResult::beams, each -> Value.count(each))
                            .meaning("texts that a beam search follows at a time")
                            .at(BEAMS),
                    number("tokensPerSecond", "tokens/s", 1, each -> each.speed().tokensPerSecond())
                            .meaning(
                                    "emitted tokens / time of whole generations, prefill of target and drafter included")
                            .in("tokens/s")
                            .at(BENCH, TABLE, PAGE),
                    of("speedup", "speedup", VariantColumns::speedup)
                            .meaning(
                                    "time per token of plain decoding / of the variant, on the same prompt in the same process, variants"
                                            + " interleaved, in a batch of the prompts decoded together; median over prompts and"
                                            + " repetitions [95 % bootstrap interval of this variant alone]")
                            .at(BENCH, TABLE, PAGE, SWEEP, KINDS, COMPARISON, BEAMS),
                    number("expectedSpeedup", "expected", 2, each -> each.speed().expected())
                            .meaning(
                                    "E[tokens] t(1) / (t_draft + t(n) + t_rest): tokens/round and the mean times of this run's"
                                            + " rounds, t(1) a whole round of plain decoding")
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE, SWEEP),
                    number("formulaSpeedup", "formula", 2, each -> each.speed().formula())
                            .meaning(
                                    "(1 - a^(K+1)) / ((1 - a)(K c + 1)): guesses accepted independently, a target pass of n"
                                            + " rows as cheap as of one")
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    number("tokensPerRound", "tokens/round", 2, VariantResult::tokensPerRound)
                            .meaning(
                                    "emitted tokens / target passes, the following token included; plain decoding is 1 (tau, MAT,"
                                            + " block efficiency); of a beam search, steps / target passes")
                            .at(BENCH, TABLE, PAGE, SWEEP, KINDS, COMPARISON, BEAMS),
                    count("targetPasses", "target passes", each -> each.counts().rounds())
                            .meaning("target passes after the prompts, of all measured generations")
                            .at(BEAMS),
                    share("passesSaved", "passes saved", each -> each.counts().passesSaved())
                            .meaning(
                                    "1 - target passes / those of plain decoding, or of plain search with the same settings")
                            .at(BEAMS),
                    number("rowsPerPass", "rows/pass", 1, VariantResult::rowsPerPass)
                            .meaning(
                                    "mean number of rows of a target pass: the root or the live beams, and guesses")
                            .at(BEAMS),
                    number("alpha", "accept", 3, VariantResult::alpha)
                            .meaning(
                                    "alpha: accepts / (accepts + rejections) over the positions reached; estimates the mean of"
                                            + " beta = sum min(p, q); of a beam search, over steps: accepted if all live beams had been guessed")
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP, COMPARISON),
                    number("draftLength", "draft length", 1, VariantResult::draftLength)
                            .meaning("mean depth of the drafts")
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP, COMPARISON),
                    number("draftNodes", "draft nodes", 1, each -> each.counts().meanDraftSize())
                            .meaning("mean number of guesses in a draft")
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    series(
                                    "acceptanceByPosition",
                                    "by position",
                                    VariantResult::acceptanceByPosition)
                            .meaning("accepted at position i / drafts")
                            .at(POSITIONS),
                    series(
                                    "conditionalAcceptanceByPosition",
                                    "(if reached)",
                                    VariantResult::conditionalAcceptanceByPosition)
                            .meaning("accepted at position i / drafts that reached position i")
                            .at(POSITIONS),
                    number("draftCost", "draft cost", 3, each -> each.speed().draftCost())
                            .meaning(
                                    "time of drafting a depth / of one target pass of one row, both measured; where a draft is not made step by"
                                            + " step, as a lookup's, the draft's time shared among its depths")
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP),
                    share("draftShare", "rounds with draft", VariantColumns::draftShare)
                            .meaning(
                                    "share of the rounds that had a draft; draft length, draft nodes and accept are of these alone")
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    number(
                                    "draftMicros",
                                    "draft \u00B5s",
                                    1,
                                    each -> each.meanNanos().draft() / 1e3)
                            .meaning(
                                    "time that a round spends on its whole draft, the mean over all rounds, also those whose drafter found"
                                            + " nothing")
                            .in("\u00B5s")
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    share("engineShare", "engine share", each -> each.counts().engineShare())
                            .meaning(
                                    "the engine's own part of a round: deciding and everything but model passes")
                            .at(TABLE, PAGE, SWEEP),
                    Column.<VariantResult>words(
                                    "losslessness",
                                    "losslessness",
                                    each -> each.exactness().losslessness())
                            .meaning(
                                    "lossless-in-distribution: sampled output follows the target's distribution; greedy-equal: ids equal plain"
                                            + " decoding up to rounding in the target's passes (target vector has none);"
                                            + " beam-equal: the same of plain search's hypotheses and scores;"
                                            + " lossy: neither")
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP),
                    of("evidence", "exactness test", VariantColumns::evidence)
                            .meaning(
                                    "what the output itself says: greedy ids against plain decoding's on every measured prompt,"
                                            + " or the smallest p-value of the tests of the distribution on samples of its own, and their"
                                            + " verdict")
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP, COMPARISON),
                    number(
                                    "draftAcceptanceRate",
                                    "accepted/drafted",
                                    3,
                                    each -> each.counts().draftAcceptanceRate())
                            .meaning(
                                    "accepted / drafted guesses; falls with the draft length; of a beam search, those that became live beams"),
                    count("wastedTokens", "wasted tokens", each -> each.counts().wasted())
                            .meaning(
                                    "guesses drafted and scored that were not accepted; each is also a row of the cache that was computed"
                                            + " and dropped")
                            .in("tokens"),
                    optional(
                                    "memoryBoundSpeedup",
                                    "MBSU",
                                    each -> each.speed().memoryBound(),
                                    each -> Value.number(each, 2))
                            .meaning(
                                    "tokens/round / (parameter ratio x draft steps + 1), which knows nothing of the hardware; nothing where a"
                                            + " model does not say its parameters"),
                    millis("firstToken", "first token", Latency::firstToken)
                            .meaning("median time to the first token: prefill and first round"),
                    millis("p50", "token p50", Latency::p50)
                            .meaning(
                                    "median time of a token, the tokens of a round sharing its time; in a batch, of the sequence's share"),
                    millis("p90", "token p90", Latency::p90).meaning("90th percentile of the same"),
                    millis("p99", "token p99", Latency::p99).meaning("99th percentile of the same"),
                    count("generations", "generations", each -> each.speed().generations())
                            .meaning("measured generations, one for each prompt and repetition"),
                    course("learnShare", "learning share", each -> Value.share(each.learnShare()))
                            .meaning(
                                    "share of the variant's time that its drafter learned in; it counts in tokens/s and speedup"),
                    course(
                                    "tokensPerRound",
                                    "tokens/round by thirds",
                                    each -> Value.series(each.tokensPerRound(), 3))
                            .meaning(
                                    "of the first, second and last third of the prompts, in the order they came; where a drafter of the run learns"),
                    course("alpha", "accept by thirds", each -> Value.series(each.alpha(), 3))
                            .meaning("the same of alpha"),
                    ranking("probabilityBest", "P(best)", VariantColumns::probabilityBest)
                            .meaning(
                                    "share of resampled sets of prompts on which it is the fastest of the variants with its sampling, plain"
                                            + " decoding among them")
                            .at(RANKINGS),
                    ranking("toBest", "vs fastest", each -> Value.ratio(each.toBest(), 2))
                            .meaning(
                                    "tokens/s / those of the fastest variant on the same prompts, geometric mean [95 % interval for all pairs"
                                            + " of such variants together]")
                            .at(RANKINGS),
                    ranking("verdict", "verdict", VariantColumns::verdict)
                            .meaning(
                                    "what these intervals say: fastest, slower, tied (within 2 %), or not told apart")
                            .at(RANKINGS),
                    ranking(
                                    "morePrompts",
                                    "more prompts",
                                    each ->
                                            each.morePrompts()
                                                    .map(Value::count)
                                                    .orElse(Value.absent("-")))
                            .meaning(
                                    "about how many more would decide it with a chance of 80 %, if they differ as these do")
                            .in("prompts")
                            .at(RANKINGS),
                    ranking("against", "pairs", VariantColumns::against)
                            .meaning(
                                    "tokens/s / those of each other variant on the same prompts, with the same intervals"));

    private static Column<VariantResult> number(
            String key, String heading, int decimals, ToDoubleFunction<VariantResult> number) {
        return Column.number(
                key, heading, decimals, each -> Finite.orZero(number.applyAsDouble(each)));
    }

    private static Column<VariantResult> count(
            String key, String heading, ToLongFunction<VariantResult> count) {
        return of(key, heading, each -> Value.count(count.applyAsLong(each)));
    }

    private static Column<VariantResult> share(
            String key, String heading, ToDoubleFunction<VariantResult> share) {
        return of(key, heading, each -> Value.share(Finite.orZero(share.applyAsDouble(each))));
    }

    private static Column<VariantResult> series(
            String key, String heading, Function<VariantResult, List<Double>> numbers) {
        return of(key, heading, each -> Value.series(numbers.apply(each), 3));
    }

    private static Column<VariantResult> millis(
            String key, String heading, ToDoubleFunction<Latency> millis) {
        return number(
                        "latencyMillis." + key,
                        heading,
                        2,
                        each -> millis.applyAsDouble(each.speed().latencyMillis()))
                .in("ms");
    }

    private static <T> Column<VariantResult> optional(
            String key,
            String heading,
            Function<VariantResult, Optional<T>> part,
            Function<T, Value> value) {
        return of(key, heading, each -> part.apply(each).map(value).orElse(Value.absent("-")));
    }

    private static Column<VariantResult> ranking(
            String key, String heading, Function<Ranking, Value> value) {
        return optional("ranking." + key, heading, VariantResult::ranking, value);
    }

    private static Column<VariantResult> course(
            String key, String heading, Function<LearningCurve, Value> value) {
        return optional("learningCurve." + key, heading, VariantResult::learningCurve, value);
    }

    private static Value speedup(VariantResult variant) {
        return variant.plain()
                ? new Value("1", variant.speedup(), false)
                : Value.interval(variant.speedup(), 2);
    }

    private static double draftShare(VariantResult variant) {
        return (double) variant.counts().drafts() / variant.counts().rounds();
    }

    private static Value probabilityBest(Ranking ranking) {
        return Value.number(ranking.probabilityBest(), 3);
    }

    private static Value verdict(Ranking ranking) {
        return Value.finding(ranking.verdict().shown(), Optional.of(ranking.verdict()));
    }

    private static Value against(Ranking ranking) {
        return Value.finding(
                ranking.against().stream()
                        .map(each ->
                                "%s %s"
                                        .formatted(
                                                each.variant(),
                                                Value.ratio(each.ratio(), 2).shown()))
                        .collect(Collectors.joining("; ")),
                Optional.of(ranking.against()));
    }

    private static Value evidence(VariantResult variant) {
        var exactness = variant.exactness();
        String shown =
                exactness
                        .greedyIds()
                        .map(ids -> "ids equal %d/%d".formatted(ids.equal(), ids.prompts()))
                        .or(() ->
                                exactness
                                        .evidence()
                                        .map(found ->
                                                "%s, p %s, n %d"
                                                        .formatted(
                                                                found.verdict(),
                                                                Value.significant(
                                                                        found.smallestP(), 2),
                                                                found.observations())))
                        .orElse("not tested");
        return Value.finding(shown, exactness.evidence());
    }

    /// The columns that a place shows, in order.
    public static List<Column<VariantResult>> at(Place place) {
        return ALL.stream().filter(column -> column.places().contains(place)).toList();
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

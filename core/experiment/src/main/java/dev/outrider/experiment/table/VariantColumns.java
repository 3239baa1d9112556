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

/// Every number of a variant that has a column, in order. A new metric is a component of [VariantResult], a line here and in `terms.properties`, and a row of
/// `docs/guide/reports.md`, which the test of that file prints if it is missing.
public final class VariantColumns {
    private VariantColumns() {}

    /// The columns without their explanations.
    private static final List<Column<VariantResult>> COLUMNS =
            List.of(
                    words("variant", "variant", VariantResult::name)
                            .at(BENCH, TABLE, PAGE, SWEEP, BEAMS, RANKINGS),
                    words("drafter", "drafter", VariantResult::drafter).at(TABLE, PAGE, BEAMS),
                    words("rule", "rule", VariantResult::rule).at(TABLE, PAGE, SWEEP),
                    number("temperature", "T", 2, VariantResult::temperature)
                            .at(TABLE, PAGE, SWEEP),
                    optional("beams", "beams", VariantResult::beams, each -> Value.count(each))
                            .at(BEAMS),
                    number("tokensPerSecond", "tokens/s", 1, each -> each.speed().tokensPerSecond())
                            .at(BENCH, TABLE, PAGE),
                    of("speedup", "speedup", VariantColumns::speedup)
                            .at(BENCH, TABLE, PAGE, SWEEP, KINDS, COMPARISON, BEAMS),
                    number("expectedSpeedup", "expected", 2, each -> each.speed().expected())
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE, SWEEP),
                    number("formulaSpeedup", "formula", 2, each -> each.speed().formula())
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    number("tokensPerRound", "tokens/round", 2, VariantResult::tokensPerRound)
                            .at(BENCH, TABLE, PAGE, SWEEP, KINDS, COMPARISON, BEAMS),
                    count("targetPasses", "target passes", each -> each.counts().rounds())
                            .at(BEAMS),
                    share("passesSaved", "passes saved", each -> each.counts().passesSaved())
                            .at(BEAMS),
                    number("rowsPerPass", "rows/pass", 1, VariantResult::rowsPerPass).at(BEAMS),
                    number("alpha", "accept", 3, VariantResult::alpha)
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP, COMPARISON),
                    number("draftLength", "draft length", 1, VariantResult::draftLength)
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP, COMPARISON),
                    number("draftNodes", "draft nodes", 1, each -> each.counts().meanDraftSize())
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    series(
                                    "acceptanceByPosition",
                                    "by position",
                                    VariantResult::acceptanceByPosition)
                            .at(POSITIONS),
                    series(
                                    "conditionalAcceptanceByPosition",
                                    "(if reached)",
                                    VariantResult::conditionalAcceptanceByPosition)
                            .at(POSITIONS),
                    number("draftCost", "draft cost", 3, each -> each.speed().draftCost())
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP),
                    share("draftShare", "rounds with draft", VariantColumns::draftShare)
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    number(
                                    "draftMicros",
                                    "draft \u00B5s",
                                    1,
                                    each -> each.meanNanos().draft() / 1e3)
                            .unless(VariantResult::plain)
                            .at(TABLE, PAGE),
                    share("engineShare", "engine share", each -> each.counts().engineShare())
                            .at(TABLE, PAGE, SWEEP),
                    Column.<VariantResult>words(
                                    "losslessness",
                                    "losslessness",
                                    each -> each.exactness().losslessness())
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP),
                    of("evidence", "exactness test", VariantColumns::evidence)
                            .unless(VariantResult::plain)
                            .at(BENCH, TABLE, PAGE, SWEEP, COMPARISON),
                    number(
                            "draftAcceptanceRate",
                            "accepted/drafted",
                            3,
                            each -> each.counts().draftAcceptanceRate()),
                    count("wastedTokens", "wasted tokens", each -> each.counts().wasted()),
                    optional(
                            "memoryBoundSpeedup",
                            "MBSU",
                            each -> each.speed().memoryBound(),
                            each -> Value.number(each, 2)),
                    millis("firstToken", "first token", Latency::firstToken),
                    millis("p50", "token p50", Latency::p50),
                    millis("p90", "token p90", Latency::p90),
                    millis("p99", "token p99", Latency::p99),
                    count("generations", "generations", each -> each.speed().generations()),
                    ranking("probabilityBest", "P(best)", VariantColumns::probabilityBest)
                            .at(RANKINGS),
                    ranking("toBest", "vs fastest", each -> Value.ratio(each.toBest(), 2))
                            .at(RANKINGS),
                    ranking("verdict", "verdict", VariantColumns::verdict).at(RANKINGS),
                    ranking(
                                    "morePrompts",
                                    "more prompts",
                                    each ->
                                            each.morePrompts()
                                                    .map(Value::count)
                                                    .orElse(Value.absent("-")))
                            .at(RANKINGS),
                    ranking("against", "pairs", VariantColumns::against));

    /// All columns, with their explanations.
    public static final List<Column<VariantResult>> ALL =
            COLUMNS.stream().map(column -> column.explained("variant")).toList();

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
                each -> millis.applyAsDouble(each.speed().latencyMillis()));
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

    /// `summary.json`: an object for each variant, plain decoding included, with every column by its key. A point in a key makes a
    /// nested object.
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

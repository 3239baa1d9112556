package dev.outrider.experiment.table;

import static dev.outrider.experiment.table.Column.of;
import static dev.outrider.experiment.table.Column.words;

import dev.outrider.experiment.stats.Diagnosis.Finite;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.GreedyIds;
import dev.outrider.experiment.stats.VariantResult.Latency;
import dev.outrider.experiment.verify.Evidence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every number of a variant that has a column, in order. A new metric is a component of [VariantResult], a line here and in `terms.properties`, and a row of
/// `docs/guide/reports.md`, which the test of that file prints if it is missing.
public final class VariantColumns {
    private VariantColumns() {}

    /// All columns, with their explanations.
    public static final List<Column<VariantResult>> ALL =
            Stream.<Column<VariantResult>>of(
                            words("variant", VariantResult::name),
                            words("drafter", VariantResult::drafter),
                            words("rule", VariantResult::rule),
                            number("temperature", 2, VariantResult::temperature),
                            optional("beams", VariantResult::beams, each -> Value.count(each)),
                            number("tokensPerSecond", 1, each -> each.speed().tokensPerSecond()),
                            of("speedup", VariantColumns::speedup),
                            drafting(number("expectedSpeedup", 2, each -> each.speed().expected())),
                            drafting(number("formulaSpeedup", 2, each -> each.speed().formula())),
                            number("tokensPerRound", 2, VariantResult::tokensPerRound),
                            count("targetPasses", each -> each.counts().rounds()),
                            share("passesSaved", each -> each.counts().passesSaved()),
                            number("rowsPerPass", 1, VariantResult::rowsPerPass),
                            drafting(number("alpha", 3, VariantResult::alpha)),
                            drafting(number("draftLength", 1, VariantResult::draftLength)),
                            drafting(
                                    number("draftNodes", 1, each -> each.counts().meanDraftSize())),
                            series("acceptanceByPosition", VariantResult::acceptanceByPosition),
                            series(
                                    "conditionalAcceptanceByPosition",
                                    VariantResult::conditionalAcceptanceByPosition),
                            drafting(number("draftCost", 3, each -> each.speed().draftCost())),
                            drafting(share("draftShare", VariantColumns::draftShare)),
                            drafting(number("draftMicros", 1, VariantColumns::draftMicros)),
                            share("engineShare", each -> each.counts().engineShare()),
                            drafting(words("losslessness", VariantColumns::losslessness)),
                            drafting(of("evidence", VariantColumns::evidence)),
                            number("draftAcceptanceRate", 3, VariantColumns::draftAcceptanceRate),
                            count("wastedTokens", each -> each.counts().wasted()),
                            optional(
                                    "memoryBoundSpeedup",
                                    each -> each.speed().memoryBound(),
                                    each -> Value.number(each, 2)),
                            millis("firstToken", Latency::firstToken),
                            millis("p50", Latency::p50),
                            millis("p90", Latency::p90),
                            millis("p99", Latency::p99),
                            count("generations", each -> each.speed().generations()),
                            ranking("probabilityBest", VariantColumns::probabilityBest),
                            ranking("toBest", each -> Value.ratio(each.toBest(), 2)),
                            ranking("verdict", VariantColumns::verdict),
                            ranking("morePrompts", VariantColumns::morePrompts),
                            ranking("against", VariantColumns::against))
                    .map(column -> column.explained("variant"))
                    .toList();

    private static Column<VariantResult> drafting(Column<VariantResult> column) {
        return column.unless(VariantResult::plain);
    }

    private static Column<VariantResult> number(
            String key, int decimals, ToDoubleFunction<VariantResult> number) {
        return Column.number(key, decimals, each -> Finite.orZero(number.applyAsDouble(each)));
    }

    private static Column<VariantResult> count(String key, ToLongFunction<VariantResult> count) {
        return of(key, each -> Value.count(count.applyAsLong(each)));
    }

    private static Column<VariantResult> share(String key, ToDoubleFunction<VariantResult> share) {
        return of(key, each -> Value.share(Finite.orZero(share.applyAsDouble(each))));
    }

    private static Column<VariantResult> series(
            String key, Function<VariantResult, List<Double>> numbers) {
        return of(key, each -> Value.series(numbers.apply(each), 3));
    }

    private static Column<VariantResult> millis(String key, ToDoubleFunction<Latency> millis) {
        return number(
                "latencyMillis." + key,
                2,
                each -> millis.applyAsDouble(each.speed().latencyMillis()));
    }

    private static <T> Column<VariantResult> optional(
            String key, Function<VariantResult, Optional<T>> part, Function<T, Value> value) {
        return of(key, each -> part.apply(each).map(value).orElse(Value.absent("-")));
    }

    private static Column<VariantResult> ranking(String key, Function<Ranking, Value> value) {
        return optional("ranking." + key, VariantResult::ranking, value);
    }

    private static Value speedup(VariantResult variant) {
        return variant.plain()
                ? new Value("1", variant.speedup(), false)
                : Value.interval(variant.speedup(), 2);
    }

    private static double draftShare(VariantResult variant) {
        return (double) variant.counts().drafts() / variant.counts().rounds();
    }

    private static double draftMicros(VariantResult variant) {
        return variant.meanNanos().draft() / 1e3;
    }

    private static double draftAcceptanceRate(VariantResult variant) {
        return variant.counts().draftAcceptanceRate();
    }

    private static String losslessness(VariantResult variant) {
        return variant.exactness().losslessness();
    }

    private static Value probabilityBest(Ranking ranking) {
        return Value.number(ranking.probabilityBest(), 3);
    }

    private static Value verdict(Ranking ranking) {
        return Value.finding(ranking.verdict().shown(), Optional.of(ranking.verdict()));
    }

    private static Value morePrompts(Ranking ranking) {
        return ranking.morePrompts().map(Value::count).orElse(Value.absent("-"));
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
        var ids = exactness.greedyIds().map(VariantColumns::equal);
        var shown = ids.or(() -> exactness.evidence().map(VariantColumns::tested));
        return Value.finding(shown.orElse("not tested"), exactness.evidence());
    }

    private static String equal(GreedyIds ids) {
        return "ids equal %d/%d".formatted(ids.equal(), ids.prompts());
    }

    private static String tested(Evidence found) {
        var p = Value.significant(found.smallestP(), 2);
        return "%s, p %s, n %d".formatted(found.verdict(), p, found.observations());
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

package dev.outrider.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviceTest {
    @TempDir private static Path folder;

    private static Report measured;

    @BeforeAll
    static void measure() throws IOException {
        measured = ResultReader.report(WrittenResults.in(folder));
    }

    @Test
    void plainDecodingWinsWhenNothingBeatsIt() {
        var advice = Advice.of(report(Interval.of(1.1, 0.98, 1.3), Interval.of(0.8, 0.7, 0.9)));

        assertThat(advice.winner()).isEmpty();
        assertThat(advice.nearest().name()).isEqualTo("first");
        assertThat(advice.what())
                .isEqualTo(
                        "Run plain decoding: nothing here is shown to be faster; 'first' comes nearest with 1.10 [0.98, 1.30] times its speed, on %d prompts."
                                .formatted(measured.coverage().prompts()));
    }

    @Test
    void theFastestOfThoseWinsThatAreShownToBeFaster() {
        var advice = Advice.of(report(Interval.of(1.5, 0.9, 2.5), Interval.of(1.3, 1.2, 1.4)));

        assertThat(advice.winner().map(VariantResult::name)).contains("second");
        assertThat(advice.what()).startsWith("Run 'second': 1.30 [1.20, 1.40] times plain");
        assertThat(advice.why()).contains("what puts 'second' before 'first' is ");
        assertThat(advice.change()).contains("it pays above ").contains("give more minutes");
    }

    /// With enough prompts the interval of all comparisons together decides.
    @Test
    void anIntervalOfOneComparisonIsNotEnoughAmongSeveral() {
        var pair = new Ranking.Against("plain", Interval.of(1.2, 0.95, 1.5));
        var ranking = new Ranking(0.9, Interval.ONE, Verdict.OPEN, Optional.of(17L), List.of(pair));
        var one = Interval.of(1.2, 1.05, 1.4);
        var advice = Advice.of(with(List.of(variant("first", one, Optional.of(ranking)))));

        assertThat(advice.winner()).isEmpty();
        assertThat(advice.change()).contains("about 17 more prompts");
    }

    @Test
    void theTableHasEachVariantAsItsLastComparisonFoundIt() {
        var stage = new TuneStage("1-look", List.of(), "", 1, 1, 1, 1, 0, 1, 0);
        var last = new TuneStage("3-decision", List.of(), "", 1, 1, 1, 1, 0, 1, 0);
        var one = report(Interval.of(1.5, 0.9, 2.5), Interval.of(1.3, 1.2, 1.4));
        var other = with(List.of(variant("second", Interval.of(1.7, 1.6, 1.8), Optional.empty())));

        var table =
                Advice.table(
                        new Tuning.Found(
                                List.of(
                                        new Tuning.Measured(stage, one),
                                        new Tuning.Measured(last, other)),
                                Map.of()));

        assertThat(table.lines())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).contains("second", "3-decision", "1.70"))
                .anySatisfy(line -> assertThat(line).contains("first", "1-look", "1.50"));
    }

    private static Report report(Interval first, Interval second) {
        var unknown = new Ranking(0.5, Interval.ONE, Verdict.UNKNOWN, Optional.empty(), List.of());
        return with(
                List.of(
                        variant("first", first, Optional.of(unknown)),
                        variant("second", second, Optional.of(unknown))));
    }

    private static Report with(List<VariantResult> variants) {
        var plain = measured.variants().stream().filter(VariantResult::plain).limit(1);
        return new Report(
                measured.format(),
                measured.question(),
                measured.coverage(),
                Stream.concat(plain, variants.stream()).toList(),
                List.of(),
                List.of(),
                List.of(),
                measured.costCurve(),
                Optional.empty(),
                measured.definitions());
    }

    /// A measured variant with another name and speedup.
    private static VariantResult variant(String name, Interval speedup, Optional<Ranking> ranking) {
        var from = measured.speculative().getFirst();
        var speed = from.speed();
        return new VariantResult(
                name,
                from.baseline(),
                from.drafter(),
                from.rule(),
                from.temperature(),
                from.beams(),
                from.exactness(),
                new VariantResult.Speed(
                        speed.generations(),
                        speed.tokensPerSecond(),
                        speedup,
                        speed.expected(),
                        speed.formula(),
                        speed.draftCost(),
                        speed.memoryBound(),
                        speed.latencyMillis(),
                        speed.meanNanos(),
                        speed.diagnosis()),
                from.counts(),
                from.contributions(),
                from.learningCurve(),
                ranking);
    }
}

package dev.outrider.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.VariantCopy;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.run.Variant;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Ranking;
import dev.outrider.experiment.stats.Ranking.Verdict;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.stats.VariantResult.Exactness;
import dev.outrider.experiment.table.RankingTables;
import dev.outrider.experiment.tune.Tuning.Measured;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
        var report = report(Interval.of(1.1, 0.98, 1.3), Interval.of(0.8, 0.7, 0.9));
        var advice = Advice.of(report);

        assertThat(advice.nearest().name()).isEqualTo("first");
        assertThat(advice.lines().getFirst())
                .startsWith(
                        "Run plain decoding; nearest is 'first', 1.10 [0.98, 1.30] times as fast. ")
                .endsWith(RankingTables.of(report.variants()).getFirst().conclusion());
        assertThat(advice.lines().getLast()).endsWith("so far the difference may be chance.");
    }

    /// The simultaneous interval of all comparisons decides, not that of one variant alone.
    @Test
    void theFastestWinsIfItIsShownToBeFasterAmongAll() {
        var advice = Advice.of(report(Interval.of(1.5, 1.1, 2.5), Interval.of(1.3, 1.2, 1.4)));
        var open = Advice.of(report(Interval.of(1.2, 0.95, 1.5), Interval.of(1.1, 0.9, 1.2)));

        assertThat(advice.nearest().name()).isEqualTo("first");
        assertThat(advice.lines().getFirst()).startsWith("Run 'first'. ");
        assertThat(advice.lines().get(1)).contains("the difference comes mostly from '");
        assertThat(advice.lines().getLast())
                .startsWith("What would change it: break-even: ")
                .endsWith(" tokens per round, below which plain decoding is faster.");
        assertThat(open.lines().getFirst()).startsWith("Run plain decoding; nearest is 'first'");
    }

    @Test
    void whatIsShownToBeFasterWinsBehindAHigherMean() {
        var advice = Advice.of(report(Interval.of(1.5, 0.9, 2.5), Interval.of(1.3, 1.2, 1.4)));

        assertThat(advice.nearest().name()).isEqualTo("second");
        assertThat(advice.lines().getFirst()).startsWith("Run 'second'. ");
    }

    @Test
    void whatIsNotExactIsNotAdvised() {
        var fast = ranked("lossy", Interval.of(2.5, 2.4, 2.6));
        var lossy = of(fast, new Exactness(Variant.LOSSY, Optional.empty(), Optional.empty()));
        var slow = Interval.of(0.8, 0.7, 0.9);

        assertThat(
                        Advice.of(with(List.of(lossy, ranked("exact", Interval.of(1.3, 1.2, 1.4)))))
                                .lines()
                                .getFirst())
                .startsWith("Run 'exact'. ");
        assertThat(Advice.of(with(List.of(lossy, ranked("exact", slow)))).lines().getFirst())
                .startsWith("Run plain decoding; nearest is 'exact', 0.80 ");
        assertThat(Advice.of(with(List.of(lossy))).lines().getLast())
                .isEqualTo(
                        "What would change it: a lossless variant that is faster; the output of 'lossy' is not the target's.");
    }

    @Test
    void whatIsShownToBeSlowerThoughItsRoundsPayIsNotSaidToBeChance() {
        var advice = Advice.of(report(Interval.of(0.8, 0.7, 0.9), Interval.of(0.7, 0.6, 0.8)));
        var loss = advice.nearest().diagnosis().orElseThrow().greatestLoss();

        assertThat(loss.factor()).isLessThan(1);
        assertThat(advice.lines().getLast())
                .isEqualTo(
                        "What would change it: '%s', which slows it most, a factor of %s."
                                .formatted(loss.name(), Advice.number(loss.factor())));
    }

    /// Two of two prompts agree by chance every other time, even if one variant's interval says that it is faster.
    @Test
    void nothingIsDecidedBelowSixPrompts() {
        var pair =
                new Ranking.Against("plain", new Interval(1.3, Optional.empty(), Optional.empty()));
        var unknown =
                new Ranking(0.5, Interval.ONE, Verdict.UNKNOWN, Optional.empty(), List.of(pair));
        var advice =
                Advice.of(
                        with(
                                List.of(
                                        variant(
                                                "first",
                                                Interval.of(1.3, 1.2, 1.4),
                                                Optional.of(unknown)))));

        assertThat(advice.lines().getFirst())
                .startsWith("Not decided; nearest is 'first', 1.30 times as fast. ");
    }

    @Test
    void theTableHasEachVariantAsItsLastComparisonFoundIt() {
        var one = report(Interval.of(1.5, 0.9, 2.5), Interval.of(1.3, 1.2, 1.4));
        var other = with(List.of(variant("second", Interval.of(1.7, 1.6, 1.8), Optional.empty())));

        var table =
                Advice.table(
                        List.of(
                                new Measured(stage("1-screening"), one),
                                new Measured(stage("3-final"), other)));

        assertThat(table.lines())
                .hasSize(4)
                .anySatisfy(line -> assertThat(line).contains("plain", "3-final"))
                .anySatisfy(line -> assertThat(line).contains("second", "1.70", "3-final"))
                .anySatisfy(line -> assertThat(line).contains("first", "1.50", "1-screening"));
    }

    /// Two other variants have the greatest lower ends.
    @Test
    void theConfigurationHasTheNearestAndTheBestOfTheOthers() {
        var report =
                with(
                        List.of(
                                ranked("first", Interval.of(1.5, 1.05, 2.5)),
                                ranked("second", Interval.of(1.3, 1.2, 1.4)),
                                ranked("third", Interval.of(1.2, 1.1, 1.3))));
        var advice = Advice.of(report);
        var measured = new Measured(stage("3-final", "first", "second", "third"), report);

        var settings =
                new TuneSettings("t", "p", List.of(), 0, 8, 0, 1, Optional.empty(), 1, false);

        var yaml = advice.yaml(settings, measured);

        assertThat(advice.nearest().name()).isEqualTo("first");
        assertThat(yaml).contains("- name: 'first'", "- name: 'second'").doesNotContain("'third'");
    }

    private static TuneStage stage(String name, String... candidates) {
        var list = Stream.of(candidates).map(each -> Candidate.single(each, "none")).toList();
        return new TuneStage(name, list, "", "", 1, 1, 1, 1, "");
    }

    private static Report report(Interval first, Interval second) {
        return with(List.of(ranked("first", first), ranked("second", second)));
    }

    /// A variant of a comparison with enough prompts.
    private static VariantResult ranked(String name, Interval ratio) {
        var pair = new Ranking.Against("plain", ratio);
        var verdict = ratio.above(1) ? Verdict.FASTEST : Verdict.OPEN;
        var ranking = new Ranking(0.9, Interval.ONE, verdict, Optional.of(17L), List.of(pair));
        return variant(name, ratio, Optional.of(ranking));
    }

    private static Report with(List<VariantResult> variants) {
        var plain = measured.variants().stream().filter(VariantResult::plain).limit(1);
        return new Report(
                measured.format(),
                measured.question(),
                measured.shaped(),
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
        return new VariantCopy(from)
                .with(
                        name,
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
                        ranking);
    }

    private static VariantResult of(VariantResult from, Exactness exactness) {
        return new VariantCopy(from).with(from.name(), exactness, from.speed(), from.ranking());
    }
}

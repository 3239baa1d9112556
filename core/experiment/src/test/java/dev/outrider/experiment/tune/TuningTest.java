package dev.outrider.experiment.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.WrittenResults;
import dev.outrider.experiment.run.PromptText;
import dev.outrider.experiment.stats.SequentialTest.InterimAnalysis;
import dev.outrider.experiment.stats.SequentialTest.InterimAnalysis.End;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.experiment.tune.TuneStage.Pace;
import dev.outrider.experiment.tune.Tuning.Measured;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests the order of the comparisons, and how long each takes.
class TuningTest {
    private static final DrafterFamily ONE =
            new DrafterFamily("one", "use: one", DrafterFamily.LENGTHS, DrafterFamily.TREES);
    private static final DrafterFamily TWO =
            new DrafterFamily("two", "use: two", DrafterFamily.LENGTHS, List.of());
    private static final Candidate LOOKUP = Candidate.single("lookup", "lookup");

    private static final Pace GUESS = new Pace(0.2, 1);

    static Probe probe(List<DrafterFamily> families, List<Candidate> others) {
        return probe(40, 10, false, families, others);
    }

    private static Probe probe(
            int prompts,
            double minutes,
            boolean formats,
            List<DrafterFamily> families,
            List<Candidate> others) {
        return new Probe(
                new Probe.Question(
                        new TuneSettings(
                                "t", "p", List.of(), 0, 64, 0, 1, Optional.empty(), minutes, true),
                        "test",
                        Collections.nCopies(prompts, new PromptText("id", "text", "words")),
                        new TreeMap<>()),
                0.1,
                families,
                others,
                formats ? List.of("int8") : List.of(),
                List.of());
    }

    @Test
    void twoLengthsOfADrafterSurviveAndTheOtherShapesOfTheBest() {
        var prices = new LinkedHashMap<Candidate, Double>();
        prices.put(ONE.chain(1), 1.2);
        prices.put(ONE.chain(3), 1.5);
        prices.put(ONE.chain(5), 1.4);
        prices.put(TWO.chain(2), 1.3);
        prices.put(TWO.chain(8), 0.9);
        prices.put(LOOKUP, 1.1);

        assertThat(Tuning.survivors(probe(List.of(ONE, TWO), List.of(LOOKUP)), prices))
                .extracting(Candidate::name)
                .containsExactly(
                        "one, chain of 3",
                        "one, chain of 5",
                        "two, chain of 2",
                        "lookup",
                        "one, expected gain",
                        "one, tree 2-1-1",
                        "one, tree 3-1-1-1");
    }

    @Test
    void onlyWhatIsThereSurvives() {
        var prices = new LinkedHashMap<Candidate, Double>();
        prices.put(LOOKUP, 0.7);

        assertThat(Tuning.survivors(probe(List.of(), List.of(LOOKUP)), prices))
                .containsExactly(LOOKUP);
    }

    /// With nine prompts or more the last comparison has six prompts of its own.
    @ParameterizedTest
    @CsvSource({"40, 12", "15, 9", "9, 3", "4, 3", "2, 2"})
    void theFirstComparisonsLeavePrompts(int prompts, int most) {
        var probe = probe(prompts, 1000, false, List.of(ONE), List.of());

        assertThat(TuneStage.screening(probe).prompts()).isEqualTo(most);
        assertThat(TuneStage.halving(probe, List.of(LOOKUP)).prompts()).isEqualTo(most);
    }

    /// As many prompts as fit into the time, but six in any case, and more if the other comparisons have left time.
    @ParameterizedTest
    @CsvSource({"10, 1, 18", "1, 1, 6", "1000, 1, 34", "10, 1.5, 28"})
    void theLastComparisonPlansThePromptsThatItHasTimeFor(double minutes, double left, int most) {
        var probe = probe(40, minutes, false, List.of(ONE), List.of());
        var stage = TuneStage.last(probe, GUESS, List.of(LOOKUP), "rest", 34);

        assertThat(stage.yaml(probe.settings())).contains("limit: 6}");
        assertThat(stage.budget(left * stage.seconds()).prompts()).hasValue(most);
    }

    /// With half of the most tokens, and a candidate of twice the speed, a comparison takes less time than assumed.
    @Test
    void theLastComparisonIsPlannedAtThePaceThatTheOthersMeasured(@TempDir Path folder)
            throws IOException {
        var report = ResultReader.report(WrittenResults.in(folder));
        var plain = report.variants().getFirst();
        var chain = report.speculative().getFirst();
        var both = report(List.of(plain, chain), report);
        var candidate = Candidate.single(chain.name(), "none");
        var stage = new TuneStage("2-halving", List.of(candidate), "", "", 1, 1, 1, 42, "");

        var pace = Pace.of(new Measured(stage, both), List.of(candidate));

        assertThat(pace.secondsPerToken())
                .isEqualTo(
                        1 / plain.speed().tokensPerSecond() + 1 / chain.speed().tokensPerSecond());
        assertThat(pace.length()).isEqualTo(0.5);
        var probe = probe(40, 2, false, List.of(ONE), List.of());
        var planned = TuneStage.last(probe, new Pace(0.1, 0.5), List.of(LOOKUP), "rest", 34);
        assertThat(planned.budget(planned.seconds()).prompts()).hasValue(15);
    }

    /// Every variant's time includes the reading of its prompts; the wall-clock time includes it once.
    @Test
    void readingForAllVariantsIsPlannedOnce(@TempDir Path folder) throws IOException {
        var yaml = WrittenResults.YAML.replace("target: table", "target: {use: table, keeps: 9}");
        var report = ResultReader.report(WrittenResults.in(folder, yaml, WrittenResults.PROMPTS));
        var plain = report.variants().getFirst();
        var chain = report.speculative().getFirst();
        var candidate = Candidate.single(chain.name(), "none");
        var stage = new TuneStage("2-halving", List.of(candidate), "", "", 1, 1, 1, 21, "");

        var pace =
                Pace.of(
                        new Measured(stage, report(List.of(plain, chain), report)),
                        List.of(candidate));

        double reading = plain.counts().prefillNanos() / 1e9 / plain.counts().emitted();
        assertThat(reading).isPositive();
        assertThat(pace.secondsPerToken())
                .isCloseTo(
                        1 / plain.speed().tokensPerSecond()
                                + 1 / chain.speed().tokensPerSecond()
                                - reading,
                        within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({
        "NO_MORE_PROMPTS, 18, true",
        "NO_MORE_PROMPTS, 34, false",
        "TIME_OVER, 18, false",
        "DECIDED, 18, false"
    })
    void isSaidToHaveEndedByThePlanWhereNothingElseEndedIt(
            End end, int most, boolean said, @TempDir Path folder) throws IOException {
        var measured = ResultReader.report(WrittenResults.in(folder));
        var stage = new TuneStage("3-final", List.of(), "", "", 1, 34, 18, 42, "");
        var report = report(measured.variants(), measured, new InterimAnalysis(3, 3, most, end));

        assertThat(new Measured(stage, report).endedByPlan()).isEqualTo(said);
    }

    private static Report report(
            List<VariantResult> variants, Report from, InterimAnalysis... until) {
        return new Report(
                from.format(),
                from.question(),
                from.shaped(),
                from.coverage(),
                variants,
                List.of(),
                List.of(),
                List.of(),
                from.costCurve(),
                Stream.of(until).findFirst(),
                from.definitions());
    }

    /// The same number of prompts gives the same order of them, so both measure the same prompts.
    @Test
    void anotherFormatHasThePromptsOfTheDecision() {
        var probe = probe(40, 10, true, List.of(ONE), List.of());
        var stage = TuneStage.last(probe, GUESS, List.of(LOOKUP), "rest", 34);
        int drawn = stage.budget(stage.seconds()).prompts().orElseThrow();
        var format = stage.in("int8", List.of(LOOKUP), 1, drawn);

        assertThat(drawn).isLessThan(34);
        assertThat(format.budget(0.5).prompts()).hasValue(drawn);
        assertThat(format.budget(-0.5).prompts()).hasValue(drawn);
        assertThat(format.protocol()).isEqualTo(stage.protocol());
    }

    /// An assumed speed does not end a comparison: it comes from the first tokens of a process, which are slow.
    @Test
    void onlyTimeEndsTheOthers() {
        var probe = probe(40, 0.1, false, List.of(ONE), List.of(LOOKUP));
        var stage = TuneStage.screening(probe);

        assertThat(stage.yaml(probe.settings())).contains("limit: 12}", "repetitions: 1\n");
        assertThat(stage.budget(1).prompts()).hasValue(12);
        assertThat(stage.budget(1).time()).hasValue(Duration.ofSeconds(1));
        assertThat(stage.budget(-1).prompts()).hasValue(12);
        assertThat(stage.budget(-1).time()).hasValue(Duration.ofMillis(1));
    }

    @Test
    void timeIsKeptForFormatsOnlyWhereThereAreAny() {
        var none = probe(40, 10, false, List.of(ONE), List.of());
        var one = probe(40, 10, true, List.of(ONE), List.of());

        assertThat(TuneStage.last(none, GUESS, List.of(LOOKUP), "rest", 34).seconds())
                .isEqualTo(270);
        assertThat(TuneStage.last(one, GUESS, List.of(LOOKUP), "rest", 34).seconds())
                .isEqualTo(120);
    }
}

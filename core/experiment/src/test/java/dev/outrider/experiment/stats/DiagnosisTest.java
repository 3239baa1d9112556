package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.run.ClockedTarget;
import dev.outrider.experiment.run.Comparison;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.FakeClock;
import dev.outrider.experiment.run.LoadedExperiment;
import dev.outrider.experiment.run.TablePlugin;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Diagnoses of a comparison with fake times: a pass takes 1000 ns, and 50 for every further row, a draft step 100.
final class DiagnosisTest {
    private static final String FILE =
            """
            name: fake
            target: table
            prompts: {texts: [ab, ba, aa, bb]}
            maxTokens: 30
            repetitions: 1
            variants:
              - name: chain
                drafter: {use: table, agreement: 0.8, tree: 3}
              - name: perfect
                drafter: {use: table, agreement: 1, tree: 3}
            """;

    @Test
    void theFactorsLeadFromTheFormulaToTheMeasuredSpeedup() {
        for (var variant : variants(run())) {
            var diagnosis = variant.diagnosis().orElseThrow();
            double product =
                    diagnosis.reasons().stream()
                            .mapToDouble(Diagnosis.Reason::factor)
                            .reduce(1, (a, b) -> a * b);

            assertThat(diagnosis.formulaSpeedup() * product)
                    .isCloseTo(variant.speedup().value(), within(1e-9));
            double rounds =
                    diagnosis.reasons().stream()
                            .limit(5)
                            .mapToDouble(Diagnosis.Reason::factor)
                            .reduce(1, (a, b) -> a * b);
            assertThat(diagnosis.formulaSpeedup() * rounds)
                    .as("all that happens in rounds")
                    .isCloseTo(variant.speed().expected(), within(1e-9));
        }
    }

    @Test
    void eachReasonIsWhatTheTimesSay() {
        var variant = variants(run()).getFirst();
        var reasons = factors(variant.diagnosis().orElseThrow());
        double rounds = variant.counts().rounds();
        double draft = variant.counts().times().draft() / rounds;
        double pass = variant.counts().times().score() / rounds;

        assertThat(pass).as("more than one row").isGreaterThan(ClockedTarget.PASS + 50);
        assertThat(reasons.get("verification rows"))
                .isCloseTo((1000 + draft) / (pass + draft), within(1e-9));
        assertThat(reasons.get("engine")).as("the engine's time is 0 here").isEqualTo(1);
        assertThat(reasons.get("observe and commit")).isEqualTo(1);
        assertThat(reasons.get("position-dependent alpha"))
                .as("acceptance is not random here, and ends cut rounds short")
                .isNotEqualTo(1);
    }

    @Test
    void theGreatestReasonIsTheOneThatMovesTheMost() {
        var diagnosis =
                new Diagnosis(
                        0.5,
                        3,
                        0.1,
                        2,
                        1,
                        1,
                        List.of(
                                new Diagnosis.Reason("small", 1.1, ""),
                                new Diagnosis.Reason("down", 0.5, ""),
                                new Diagnosis.Reason("up", 1.9, "")));
        assertThat(diagnosis.greatest().name()).isEqualTo("down");
        assertThat(diagnosis.bestLength()).isEqualTo(2);
    }

    @Test
    void plainDecodingHasNoDiagnosis() {
        assertThat(run().variants().getFirst().diagnosis()).isEmpty();
    }

    @Test
    void theCostCurveIsTheTargetsOwn() {
        var curve = run().costCurve();

        assertThat(curve).extracting(CostPoint::rows).contains(1, 4);
        assertThat(curve)
                .allSatisfy(point -> {
                    double time = ClockedTarget.PASS + 50.0 * (point.rows() - 1);
                    assertThat(point.meanNanos()).isEqualTo(time);
                    assertThat(point.ratio()).isEqualTo(time / ClockedTarget.PASS);
                    assertThat(point.passes()).isPositive();
                });
    }

    @Test
    void promptsDecodedTogetherArePairedTogether() {
        var single = variants(run()).getLast();
        var paired = variants(run("batch=2")).getLast();

        // The fake target's batch costs the sum of its sequences: a batch of 2 gains nothing and
        // loses nothing.
        assertThat(paired.counts().emitted()).isEqualTo(single.counts().emitted());
        assertThat(paired.speedup().value()).isCloseTo(single.speedup().value(), within(0.15));
        assertThat(paired.speed().tokensPerSecond())
                .isCloseTo(
                        single.speed().tokensPerSecond(),
                        within(1e-6 * single.speed().tokensPerSecond()));
    }

    private static Map<String, Double> factors(Diagnosis diagnosis) {
        return diagnosis.reasons().stream()
                .collect(Collectors.toMap(Diagnosis.Reason::name, Diagnosis.Reason::factor));
    }

    private static List<VariantResult> variants(Report report) {
        return report.speculative();
    }

    private static Report run(String... overrides) {
        var clock = new FakeClock();
        var config =
                new ConfigLoader(TablePlugin.installed(clock), Path.of("/"))
                        .parse(
                                FILE,
                                "fake.yaml",
                                Path.of("/"),
                                ExperimentConfig.class,
                                Arrays.asList(overrides))
                        .config();
        try (var loadedExperiment = LoadedExperiment.load(config, clock, true)) {
            var listener = new Listener() {};
            return Report.of(
                    "",
                    java.util.Optional.empty(),
                    new Comparison(loadedExperiment.plan(config), clock, listener, () -> false)
                            .run(),
                    java.util.Map.of(),
                    java.util.Optional.empty());
        }
    }
}

package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.run.Comparison.Listener;
import dev.outrider.experiment.run.GenerationRecord.Line;
import dev.outrider.experiment.tree.PromptSplit;
import dev.outrider.experiment.verify.Verification;
import dev.outrider.experiment.verify.VerificationSettings;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Comparisons whose target reads sources.
final class SourceComparisonTest {
    private static final String FILE =
            """
            name: fake
            target: {use: table, readsSources: true}
            prompts: {texts: [ab, abc, b, cab]}
            maxTokens: 9
            repetitions: 1
            batch: 2
            variants:
              - name: chain
                drafter: {use: table, agreement: 0.8, tree: 3}
              - name: warm
                sampling: {temperature: 1}
                drafter: {use: table, tree: 2}
            """;

    private final FakeClock clock = new FakeClock();

    @Test
    void everySideReadsTheSourceOfItsPrompt() {
        var result = run(FILE);
        var alone = run(FILE.replace("batch: 2", "batch: 1"));

        assertThat(result.mismatches()).isEmpty();
        assertThat(plain(result)).isEqualTo(plain(alone)).doesNotHaveDuplicates();
    }

    private static List<List<Integer>> plain(ComparisonResult result) {
        return result.generations().stream()
                .filter(record -> record.variant().equals("plain"))
                .map(GenerationRecord::tokens)
                .toList();
    }

    @Test
    void samplesShowTheSource() {
        var samples = SampleRecorder.of(run(FILE)).orElseThrow();

        assertThat(samples.source()).contains("ab");
        assertThat(samples.text()).isEqualTo("f");
        assertThat(samples.variants()).allMatch(variant -> !variant.rounds().isEmpty());
    }

    @Test
    void generationsNameTheSource() {
        var config = config(FILE);
        try (var loaded = LoadedExperiment.load(config, clock, true)) {
            var plan = loaded.plan(config);
            var prompt = plan.prompts().getFirst();
            var record = run(FILE).generations().getFirst();
            var line = Line.of(plan.variants().getFirst(), prompt, record);

            assertThat(line.digest()).isEqualTo(prompt.digest());
            assertThat(line.source()).isEqualTo(prompt.sourceDigest()).isPresent();
        }
    }

    @Test
    void evidenceIsAboutTheTextAfterTheSource() {
        var config = config(FILE);
        try (var loaded = LoadedExperiment.load(config, clock, true)) {
            var evidence =
                    new Verification(
                                    loaded.variants(),
                                    loaded.plan(config).prompts(),
                                    new VerificationSettings(300, 600, 60, .001, .5, 1, 2),
                                    () -> 0,
                                    () -> false)
                            .run((_, _, _) -> {});

            assertThat(evidence).hasSize(2);
            assertThat(evidence)
                    .allMatch(
                            each -> each.evidence().verdict().equals("not rejected"),
                            "not rejected")
                    .allMatch(each -> each.evidence().greedy().orElseThrow().equal() == 4);
        }
    }

    /// Prompts with the same text and different sources are different prompts.
    @Test
    void promptsOfAnotherSourceAreLeftToMeasureOn() {
        var prompts = plan(FILE).prompts();
        var split = PromptSplit.apart(prompts, prompts.subList(0, 2));

        assertThat(split.measure()).isEqualTo(prompts.subList(2, 4));
    }

    @Test
    void aSourceThatIsTooLongIsNamedBeforeAnythingRuns() {
        assertThatThrownBy(() -> plan(FILE.replace("cab", "cababcabc")))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "CONTEXT_EXCEEDED: prompt 'text-4': the source has 9 tokens, but the encoder of target 'table' reads at most 8");
    }

    private ComparisonPlan plan(String file) {
        var config = config(file);
        try (var loaded = LoadedExperiment.load(config, clock, true)) {
            return loaded.plan(config);
        }
    }

    private ComparisonResult run(String file) {
        return new Comparison(plan(file), clock, new Listener() {}, () -> false).run();
    }

    private ExperimentConfig config(String file) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("/here"))
                .parse(file, "fake.yaml", Path.of("/"), ExperimentConfig.class, List.of())
                .config();
    }
}

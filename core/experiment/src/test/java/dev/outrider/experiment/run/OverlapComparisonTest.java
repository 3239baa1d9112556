package dev.outrider.experiment.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.config.ConfigLoader;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Where drafting while the target verifies is refused.
final class OverlapComparisonTest {
    private static final String FILE =
            """
            name: fake
            target: table
            prompts: {texts: [ab, ba]}
            maxTokens: 21
            batch: 1
            variants:
              - name: fixed
                drafter: {use: table, agreement: 0.8, tree: 4}
                overlap: true
            """;

    private final FakeClock clock = new FakeClock();

    @Test
    void aBatchIsRefused() {
        assertThatThrownBy(
                        () -> LoadedExperiment.check(config(FILE.replace("batch: 1", "batch: 2"))))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CONFIG_INVALID: variants[0] 'fixed': 'overlap' is on, but batch is 2: drafting for the others is what a drafter does meanwhile
                          Leave out 'overlap', or set batch to 1.\
                        """);
    }

    @Test
    void aBeamSearchIsRefused() {
        var file = FILE.replace("overlap: true", "overlap: true\n    decoding: {beams: 2}");

        assertThatThrownBy(() -> LoadedExperiment.check(config(file)))
                .isInstanceOf(OutriderException.class)
                .hasMessage(
                        """
                        CONFIG_INVALID: variants[0] 'fixed': 'overlap' is on, but a beam search needs what it found to know what to draft for
                          Leave out 'overlap', or leave out 'decoding'.\
                        """);
    }

    @Test
    void aDrafterThatDoesNothingMeanwhileIsRefusedBeforeAnythingIsGenerated() {
        assertThatThrownBy(() -> LoadedExperiment.load(config(FILE), clock, false))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("CAPABILITY_MISSING: drafter '")
                .hasMessageContaining(
                        "does nothing while the target verifies, but 'overlap' asks for it");
    }

    private ExperimentConfig config(String file) {
        return new ConfigLoader(TablePlugin.installed(clock), Path.of("/here"))
                .parse(file, "fake.yaml", Path.of("/"), ExperimentConfig.class, List.of())
                .config();
    }
}

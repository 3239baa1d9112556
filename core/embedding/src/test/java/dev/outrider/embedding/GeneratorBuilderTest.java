package dev.outrider.embedding;

import static dev.outrider.embedding.DemoModels.drafting;
import static dev.outrider.embedding.DemoModels.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Errors before anything is loaded: the targets named here do not exist.
class GeneratorBuilderTest {
    private static final Map<String, String> NOWHERE = Map.of("path", "/no/such/model");

    @Test
    void everyMistakeIsFoundAtOnce() {
        assertThatThrownBy(() ->
                        Outrider.target("vector", Map.of("path", "x", "threads", "two"))
                                .drafter("small-model", Map.of("path", "y", "lenght", 4))
                                .rule("tokn")
                                .open())
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "CONFIG_INVALID: the generator has 3 problems:\n"
                                + "  target(\"vector\"): target.threads: expected an integer, got text \"two\"\n"
                                + "  drafter(\"small-model\"): drafter.lenght: unknown key; did you mean 'length'?")
                .hasMessageContaining(
                        "\n  rule(\"tokn\"): rule: unknown acceptance rule 'tokn'; did you mean 'token'?")
                .hasMessageContaining("plugins add others");
    }

    @Test
    void aPairingThatIsNotExactIsRefusedBeforeAnythingIsLoaded() {
        assertThatThrownBy(() ->
                        Outrider.target("vector", NOWHERE)
                                .drafter("small-model", NOWHERE)
                                .rule("typical")
                                .sampling(SamplingPolicy.atTemperature(1))
                                .open())
                .hasMessageStartingWith(
                        "LOSSY_NOT_ALLOWED: acceptance rule 'typical' does not follow the target's distribution")
                .hasMessageEndingWith(
                        "any tree, or call allowLossy() to run it and label its results.");
    }

    @Test
    void aRuleWithoutADrafterIsRefused() {
        assertThatThrownBy(() -> Outrider.target("vector", NOWHERE).rule("token").open())
                .hasMessage(
                        """
                        CONFIG_INVALID: acceptance rule 'token' judges drafts, and there is no drafter
                          Add drafter(...), or leave the rule out to decode plainly.\
                        """);
    }

    @Test
    void aModelThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Outrider.target("vector", NOWHERE).open())
                .hasMessageStartingWith("CHECKPOINT_NOT_FOUND")
                .hasMessageContaining("/no/such/model");
    }

    @Test
    void theTargetIsClosedIfTheDrafterCannotBeLoaded() {
        var broken = plain().drafter("small-model", NOWHERE);

        assertThatThrownBy(broken::open).hasMessageStartingWith("CHECKPOINT_NOT_FOUND");
        try (var generator = drafting().open()) {
            assertThat(generator.generate("Once", 4).tokens()).hasSize(4);
        }
    }

    @Test
    void aDirectoryOfPluginsHasToBeThere(@TempDir Path folder) {
        assertThatThrownBy(() -> plain().plugins(folder.resolve("none")).open())
                .hasMessage(
                        """
                        PLUGIN_INVALID: there is no directory '%s' to take plugins from
                          Correct the path given to plugins(...), or leave it out.\
                        """
                                .formatted(folder.resolve("none")));
        assertThatThrownBy(() -> Outrider.target("djll", NOWHERE).plugins(folder).open())
                .hasMessageContaining("plugins in '%s' add others".formatted(folder));
    }

    @Test
    void aLengthPlanLimitsDrafts() {
        try (var none = drafting().draftLength(new FixedLength(0)).open()) {
            var generation = none.generate("Once upon a time", 8);

            assertThat(generation.rounds()).isEqualTo(8);
        }
    }
}

package dev.outrider.config;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A configuration like a real one, for the tests of this package.
record Sample(
        @Doc("Name of the run.") String name,
        Optional<String> question,
        Path model,
        @Default("true") boolean allowLossy,
        @Default("64") @Doc("Tokens to generate.") int maxTokens,
        @Default("30s") Duration timeout,
        @Default("float32") Precision precision,
        @Default("{}") Sampling sampling,
        @Default("[]") List<String> stop,
        @Default("{}") Map<String, Double> weights,
        @Default("chain") Plan plan,
        @Default("[]") List<Variant> variants) {

    enum Precision {
        FLOAT32,
        BFLOAT16,
        MIXED_HALF
    }

    record Sampling(@Default("0") double temperature, @Default("0") int topK) {
        Sampling {
            if (temperature < 0) {
                throw new IllegalArgumentException(
                        "temperature %s must be 0 or more".formatted(temperature));
            }
            if (temperature == 0 && topK > 0) {
                throw new IllegalArgumentException(
                        "topK %d has no effect at temperature 0".formatted(topK));
            }
        }
    }

    sealed interface Plan {
        @Doc("One token after another.")
        record Chain(@Default("4") int length) implements Plan {}

        record LevelWidths(List<Integer> widths) implements Plan {}

        record Dynamic(int topK, int depth) implements Plan {}
    }

    record Variant(String name, Component<Guesser> drafter) {}

    /// Stands for a factory interface.
    interface Guesser {}

    record Lookup(@Default("3") int ngram) {}

    record SmallModel(Path path, @Default("4") @Doc("Tokens a round.") int depth) {
        SmallModel {
            if (depth < 1 || depth > 64) {
                throw new IllegalArgumentException(
                        "depth %d is not between 1 and 64".formatted(depth));
            }
        }
    }

    static final Guesser LOOKUP = new Guesser() {};
    static final Guesser SMALL_MODEL = new Guesser() {};

    static final FakeComponents COMPONENTS =
            FakeComponents.of(
                    Guesser.class,
                    "drafter",
                    Map.of(
                            "lookup",
                            new FakeComponents.Made(LOOKUP, Lookup.class),
                            "small-model",
                            new FakeComponents.Made(SMALL_MODEL, SmallModel.class)));

    static ConfigLoader loader() {
        return new ConfigLoader(COMPONENTS, Path.of("/work-dir"));
    }

    static Loaded<Sample> parse(String yaml, String... overrides) {
        return loader().parse(
                        yaml, "demo.yaml", Path.of("/configs"), Sample.class, List.of(overrides));
    }
}

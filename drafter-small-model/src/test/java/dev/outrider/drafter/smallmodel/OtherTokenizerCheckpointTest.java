package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/// A third-party checkpoint with its own tokenizer of 512 pieces drafts for the demo target.
class OtherTokenizerCheckpointTest {
    private static final Path ROOT = Path.of(System.getProperty("outrider.root", ".."));

    @ParameterizedTest
    @EnumSource(value = VocabularyMode.class, mode = Mode.EXCLUDE, names = "SAME")
    void outputIsTheTargetsAndSomeGuessesAreRight(VocabularyMode mode) {
        var checkpoint = RealCheckpointTest.checkpoint();
        try (var target = target();
                var drafter =
                        new SmallModelDrafterFactory()
                                .create(
                                        Configs.of(checkpoint, mode, new TreePlan.Chain(3)),
                                        () -> target)) {
            var metrics = new MetricsCollector();
            var speculative =
                    new Decoder(
                            target,
                            Optional.of(drafter),
                            new TokenRejectionRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            int[] prompt = target.tokenizer().encode("Once upon a time there was a", true);
            var request = new DecodeRequest(prompt, 48, SamplingPolicy.argmax(), List.of(), true);

            int[] tokens = speculative.decode(request, randomness(), metrics, () -> false).tokens();

            assertThat(tokens)
                    .containsExactly(
                            Decoder.plain(target, new TokenRejectionRule(), () -> 0)
                                    .decode(request, randomness())
                                    .tokens());
            assertThat(metrics.metrics().drafted()).isPositive();
            assertThat(metrics.metrics().accepted()).isPositive();
        }
    }

    private static TargetModel target() {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                ROOT.resolve("models/demo-target"),
                                Optional.of(Precision.F32),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    private static RandomnessSource randomness() {
        return RandomnessSource.of(new KeyedRandomStreams(3, 1));
    }
}

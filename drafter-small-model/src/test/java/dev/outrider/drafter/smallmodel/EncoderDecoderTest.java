package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.WrappedDrafter;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests draft models for encoder-decoders.
class EncoderDecoderTest {
    private static final TargetModel TARGET = RandomEncoderDecoders.target();
    private static final DraftModel MODEL = RandomEncoderDecoders.draft(1, 100);
    private static final List<Integer> SOURCE = List.of(3, 14, 1, 5, 9, 2, 6);
    private static final TreePlan CHAIN = new TreePlan.Chain(4);
    private static final int TOKENS = 40;

    @AfterAll
    static void close() {
        TARGET.close();
        MODEL.network().close();
    }

    @Test
    void aModelThatDraftsForItselfIsAlwaysRight() {
        try (var drafter =
                drafter(RandomEncoderDecoders.draft(RandomEncoderDecoders.LAYERS, 100))) {
            assertThat(alpha(drafter)).isEqualTo(1);
            assertThat(alpha(reading(drafter, List.of(7, 7, 7)))).isLessThan(.9);
        }
    }

    /// If a source is longer than the draft model's encoder reads, its beginning still helps.
    @Test
    void aSourceThatIsTooLongForTheDraftModelIsCut() {
        try (var cut = drafter(RandomEncoderDecoders.draft(RandomEncoderDecoders.LAYERS, 3));
                var whole = drafter(RandomEncoderDecoders.draft(RandomEncoderDecoders.LAYERS, 7))) {
            assertThat(alpha(cut))
                    .isLessThan(1)
                    .isEqualTo(alpha(reading(whole, SOURCE.subList(0, 3))));
        }
    }

    @Test
    void aDecoderAloneDraftsFromTheDecodersText() {
        var model =
                new DraftModel(
                        new TableNetwork(RandomEncoderDecoders.VOCABULARY, 9, 1.5),
                        new LetterTokenizer(RandomEncoderDecoders.VOCABULARY),
                        RandomEncoderDecoders.VOCABULARY,
                        200,
                        1,
                        "",
                        Optional.empty());
        try (var drafter = drafter(model)) {
            assertThat(alpha(drafter)).isEqualTo(alpha(reading(drafter, List.of(7))));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = VocabularyMode.class,
            names = {"SHARED", "TEXT"})
    void aModelWithOtherTokensReadsTheSourceInItsOwn(VocabularyMode mode) {
        var config = Configs.of(mode, CHAIN);
        try (var drafter = create(config, RandomEncoderDecoders.draft(2, 100, 20), TARGET)) {
            assertThat(alpha(drafter)).isNotEqualTo(alpha(reading(drafter, List.of(7, 7))));
        }
    }

    @Test
    void anEncoderDecoderIsRefusedForADecoderAlone() {
        assertThatThrownBy(() ->
                        create(
                                Configs.of(CHAIN),
                                RandomEncoderDecoders.draft(1, 100),
                                new TokenizerOnlyTarget(24, 24)))
                .hasMessageStartingWith(
                        "CAPABILITY_MISSING: drafter 'small-model' at %s is an encoder-decoder, but target 'letters' is a decoder alone"
                                .formatted(Configs.PATH));
    }

    /// Returns the share of guesses that were right, in a generation that equals plain decoding's.
    private static double alpha(Drafter drafter) {
        var request =
                new DecodeRequest(
                        new int[] {0}, TOKENS, SamplingPolicy.argmax(), List.of(), true, SOURCE);
        var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 0));
        var metrics = new MetricsCollector();
        var decoder =
                new Decoder(
                        TARGET,
                        Optional.of(drafter),
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        var drafted = decoder.decode(request, randomness, metrics, () -> false);
        var plain = Decoder.plain(TARGET, new SampleAndMatchRule(), () -> 0);

        assertThat(drafted.tokens()).containsExactly(plain.decode(request, randomness).tokens());
        assertThat(metrics.metrics().drafted()).isPositive();
        return metrics.metrics().alpha();
    }

    private static Drafter reading(Drafter drafter, List<Integer> source) {
        return new WrappedDrafter(drafter, UnaryOperator.identity()) {
            @Override
            public DraftSession open(DraftRequest request) {
                return super.open(new DraftRequest(request.capacity(), request.policy(), source));
            }
        };
    }

    private static Drafter drafter(DraftModel model) {
        return create(Configs.of(CHAIN), model, TARGET);
    }

    private static Drafter create(SmallModelConfig config, DraftModel model, TargetModel target) {
        return new SmallModelDrafterFactory((_, _) -> model).create(config, () -> target);
    }

    @Nested
    class Chains extends Suite {
        Chains() {
            super(CHAIN);
        }
    }

    @Nested
    class DynamicTrees extends Suite {
        DynamicTrees() {
            super(new TreePlan.Dynamic(3, 4, 12));
        }
    }

    private abstract static class Suite extends DrafterConformance {
        private final Drafter drafter;

        Suite(TreePlan plan) {
            drafter =
                    new SmallModelDrafter(
                            Configs.of(plan), MODEL, RandomEncoderDecoders.VOCABULARY);
        }

        @Override
        protected TargetModel target() {
            return TARGET;
        }

        @Override
        protected Drafter drafter() {
            return drafter;
        }
    }
}

package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.smallmodel.SmallModelConfig.Backend;
import dev.outrider.drafter.smallmodel.SmallModelConfig.StatesOf;
import dev.outrider.drafter.smallmodel.SmallModelConfig.VocabularyMode;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.SourceEncoder;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A draft model that attends to what the target's encoder has read.
class SharedEncoderTest {
    private static final Path MODELS = Path.of("../models");
    private static TargetModel target;

    @BeforeAll
    static void open() {
        target = model("demo-t5-target");
    }

    @AfterAll
    static void close() {
        target.close();
    }

    @Test
    void draftsAreThoseOfTheSameEncoder() {
        var own = generate(target, config("demo-t5-target", StatesOf.OWN));
        var shared = generate(target, config("demo-t5-target", StatesOf.TARGET));

        assertThat(shared.tokens()).isEqualTo(own.tokens());
        assertThat(shared.rounds()).isEqualTo(own.rounds()).isLessThan(own.tokens().length / 3);
    }

    @Test
    void aSourceIsReadOnce() {
        var states = target.capability(SourceEncoder.class).orElseThrow();
        assertThat(states.encode(new int[] {7, 8, 9})).isSameAs(states.encode(new int[] {7, 8, 9}));
        assertThat(states.encode(new int[] {7, 8})).isNotSameAs(states.encode(new int[] {7, 8, 9}));
    }

    @Test
    void statesOfAnotherWidthAreRefused() {
        assertThatThrownBy(() -> create(target, config("demo-t5-tiny", StatesOf.TARGET)).close())
                .isInstanceOf(OutriderException.class)
                .hasMessageMatching(
                        "(?s)CAPABILITY_MISSING: drafter 'small-model' cannot share the encoder's states of target 'demo-t5-target': they have \\d+ numbers and the draft model's \\d+.*");
    }

    @Test
    void aTargetWithoutAnEncoderIsRefused() {
        try (var decoder = model("tiny-target")) {
            assertThatThrownBy(() -> create(decoder, config("tiny-draft", StatesOf.TARGET)).close())
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining("the target has no encoder that shares them");
        }
    }

    private static Generation generate(TargetModel target, SmallModelConfig config) {
        try (var drafter = create(target, config)) {
            var decoder =
                    new Decoder(
                            target,
                            Optional.of(drafter),
                            new GreedyRule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            var source =
                    IntStream.of(
                                    target.tokenizer()
                                            .encode("summarize: Olga lives in Farley.", true))
                            .boxed()
                            .toList();
            var start = target.description().sources().orElseThrow().start();
            var request =
                    new DecodeRequest(
                            start.stream().mapToInt(Integer::intValue).toArray(),
                            24,
                            SamplingPolicy.argmax(),
                            List.of(),
                            true,
                            source);
            return decoder.decode(request, RandomnessSource.of(new KeyedRandomStreams(1, 0)));
        }
    }

    private static Drafter create(TargetModel target, SmallModelConfig config) {
        return new SmallModelDrafterFactory().create(config, () -> target);
    }

    private static SmallModelConfig config(String model, StatesOf states) {
        return new SmallModelConfig(
                MODELS.resolve(model),
                Optional.empty(),
                Backend.VECTOR,
                Drafting.of(new TreePlan.Chain(4)),
                VocabularyMode.SAME,
                states);
    }

    private static TargetModel model(String name) {
        return new VectorTargetFactory()
                .open(
                        new VectorTargetConfig(
                                MODELS.resolve(name),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }
}

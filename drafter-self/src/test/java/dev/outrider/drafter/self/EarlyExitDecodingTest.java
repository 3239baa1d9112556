package dev.outrider.drafter.self;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.beam.BeamDecoder;
import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.beam.BeamSettings.EarlyStopping;
import dev.outrider.engine.decode.BatchDecoder;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Generation;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests early exit on the real network: its output, and its computation.
class EarlyExitDecodingTest {
    private static final int TOKENS = 40;
    private static final List<TreePlan> PLANS =
            List.of(
                    new TreePlan.Chain(4),
                    new TreePlan.Dynamic(3, 4, 8),
                    new TreePlan.LevelWidths(List.of(2, 2)),
                    new TreePlan.SampledWithReplacement(List.of(3, 1)));

    static Stream<Arguments> cases() {
        return Stream.of(Precision.F32, Precision.BF16)
                .flatMap(precision -> PLANS.stream().map(plan -> Arguments.of(precision, plan)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void writesWhatTheTargetAloneWrites(Precision precision, TreePlan plan) {
        try (var target = TinyTarget.DEEP.open(TinyTarget.DEEP.network(precision))) {
            for (int layer = 1; layer < TinyTarget.DEEP.layers(); layer++) {
                var decoder = decoder(target, layer, plan);
                for (int prompt = 0; prompt < 3; prompt++) {
                    assertThat(decode(decoder, prompt)).isEqualTo(decode(plain(target), prompt));
                }
            }
        }
    }

    @Test
    void aBatchWritesWhatEachWouldAlone() {
        try (var target = TinyTarget.DEEP.open()) {
            var decoder = decoder(target, 2, new TreePlan.Chain(3));
            var items = new ArrayList<BatchDecoder.Item>();
            for (int prompt = 0; prompt < 5; prompt++) {
                items.add(
                        new BatchDecoder.Item(
                                request(prompt), randomness(prompt), DecodeListener.none()));
            }
            var batch = new BatchDecoder(decoder, 3).decode(items, () -> false);
            for (int prompt = 0; prompt < 5; prompt++) {
                assertThat(batch.get(prompt).orElseThrow().tokens())
                        .isEqualTo(decode(plain(target), prompt));
            }
        }
    }

    /// A node with children has passed through the first layers; the verifying pass runs it only through the other layers.
    @ParameterizedTest
    @EnumSource(
            value = Precision.class,
            names = {"F32", "BF16"})
    void noRowGoesThroughALayerTwice(Precision precision) {
        int layer = 3;
        int length = 4;
        var count = new CountingNetwork(TinyTarget.DEEP.network(precision));
        try (var target = TinyTarget.DEEP.open(count)) {
            var rounds = new ArrayList<RoundCompleted>();
            var decoder = decoder(target, layer, new TreePlan.Chain(length));
            decoder.decode(request(1), randomness(1), keeping(rounds), () -> false);
            long prefilled = (long) (request(1).prompt().length - 1) * TinyTarget.DEEP.layers();
            long nodes = rounds.stream().mapToLong(round -> round.draft().tree().size()).sum();
            long guessedFrom = nodes - rounds.size();

            assertThat(count.drafted()).isPositive().isEqualTo(guessedFrom * layer);
            assertThat(count.drafted() + count.verified())
                    .isEqualTo(prefilled + nodes * TinyTarget.DEEP.layers());
        }
    }

    @Test
    void beamSearchIsRefused() {
        try (var target = TinyTarget.DEEP.open()) {
            var decoder = decoder(target, 2, new TreePlan.Chain(3));
            var search =
                    new BeamDecoder(
                            decoder,
                            new BeamSettings(2, 1, 1, EarlyStopping.FALSE, 0, 0, List.of()));

            assertThatThrownBy(() ->
                            search.decode(
                                    request(0), randomness(0), DecodeListener.none(), () -> false))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "CAPABILITY_MISSING: drafter 'early-exit' guesses within the target's own sequence, but the texts of this"
                                    + " request are drafted for apart from it\n"
                                    + "  Search for beams with another drafter, or without one.");
        }
    }

    private static DecodeListener keeping(List<RoundCompleted> rounds) {
        return new DecodeListener() {
            @Override
            public void onEvent(DecodeEvent event) {
                if (event instanceof RoundCompleted round) {
                    rounds.add(round);
                }
            }
        };
    }

    private static int[] decode(Decoder decoder, int prompt) {
        Generation generation = decoder.decode(request(prompt), randomness(prompt));
        return generation.tokens();
    }

    private static Decoder plain(TargetModel target) {
        return Decoder.plain(target, new SampleAndMatchRule(), () -> 0);
    }

    private static Decoder decoder(TargetModel target, int layer, TreePlan plan) {
        var config = new EarlyExitConfig(layer, Drafting.of(plan));
        Drafter drafter = SelfPlugin.EARLY_EXIT.create(config, () -> target);
        return new Decoder(
                target,
                Optional.of(drafter),
                new SampleAndMatchRule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private static DecodeRequest request(int prompt) {
        int[] tokens = {1 + prompt, 7, 3, 2 + prompt, 11};
        return new DecodeRequest(
                tokens, TOKENS, SamplingPolicy.argmax(), List.of(), true, List.of());
    }

    private static RandomnessSource randomness(int prompt) {
        return RandomnessSource.of(new KeyedRandomStreams(3, prompt));
    }
}

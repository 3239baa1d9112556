package dev.outrider.drafter.self;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetModel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests skipped sub-layers on the real network.
class SkipLayersDecodingTest {
    private static final int TOKENS = 40;

    @ParameterizedTest
    @EnumSource(
            value = Precision.class,
            names = {"F32", "BF16"})
    void writesWhatTheTargetAloneWrites(Precision precision) {
        try (var target = TinyTarget.DEEP.open(TinyTarget.DEEP.network(precision))) {
            var plain = Decoder.plain(target, new SampleAndMatchRule(), () -> 0);
            for (var plan : List.of(new TreePlan.Chain(4), new TreePlan.Dynamic(3, 4, 8))) {
                for (var config : List.of(spread(plan), fixed(List.of(1), List.of(2, 3), plan))) {
                    assertThat(decode(decoder(target, config))).isEqualTo(decode(plain));
                }
            }
        }
    }

    @Test
    void aSetIsSpreadOverTheInnerLayers() {
        var spread = SkipLayersConfig.spread(6, 0.45);

        assertThat(spread.attention()).hasSize(3).isSubsetOf(1, 2, 3, 4);
        assertThat(spread.feedForward()).hasSize(2).isSubsetOf(1, 2, 3, 4);
        assertThat(SkipLayersConfig.spread(3, 0.9))
                .isEqualTo(new LayerSubset.Without(Set.of(1), Set.of(1)));
    }

    @Test
    void refusesLayersThatTheTargetDoesNotHave() {
        try (var target = TinyTarget.DEEP.open()) {
            var config = fixed(List.of(1), List.of(6), new TreePlan.Chain(3));
            assertThatThrownBy(() -> SelfPlugin.SKIP_LAYERS.create(config, () -> target))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "CONFIG_INVALID: drafter 'skip-layers' skips a sub-layer of layer 6, but target 'tiny' has 6 layers, expected 0 to 5\n"
                                    + "  Name layers that the target has in 'skip'.");
        }
        assertThatThrownBy(() -> new SkipLayersConfig.Skip(List.of(), List.of()))
                .hasMessage("'skip' names no sub-layer: what is left is the target itself");
        assertThatThrownBy(() -> new SkipLayersConfig.Skip(List.of(1, 1), List.of()))
                .hasMessage("'attention' must be different layers from 0 on, got [1, 1]");
    }

    private static SkipLayersConfig spread(TreePlan plan) {
        return new SkipLayersConfig(Optional.empty(), 0.45, Drafting.of(plan));
    }

    private static SkipLayersConfig fixed(
            List<Integer> attention, List<Integer> feedForward, TreePlan plan) {
        return new SkipLayersConfig(
                Optional.of(new SkipLayersConfig.Skip(attention, feedForward)),
                0.45,
                Drafting.of(plan));
    }

    private static Decoder decoder(TargetModel target, SkipLayersConfig config) {
        return new Decoder(
                target,
                Optional.of(SelfPlugin.SKIP_LAYERS.create(config, () -> target)),
                new SampleAndMatchRule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private static int[] decode(Decoder decoder) {
        int[] prompt = IntStream.range(0, 9).map(index -> (index * 7 + 2) % 23).toArray();
        var request = new DecodeRequest(prompt, TOKENS, SamplingPolicy.argmax(), List.of(), true);
        return decoder.decode(request, RandomnessSource.of(new KeyedRandomStreams(3, 1))).tokens();
    }
}

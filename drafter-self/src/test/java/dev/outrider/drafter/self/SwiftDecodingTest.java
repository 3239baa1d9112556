package dev.outrider.drafter.self;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.self.SkipSearch.SubLayers;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Skipped sub-layers on the real network: the output, and the cost of the search.
class SwiftDecodingTest {
    private static final int TOKENS = 40;
    private static final SwiftConfig.Search SEARCH = new SwiftConfig.Search(8, 3, 8, 5);
    private static final SwiftConfig.Search NONE = new SwiftConfig.Search(0, 2, 8, 5);

    @ParameterizedTest
    @EnumSource(
            value = Precision.class,
            names = {"F32", "BF16"})
    void writesWhatTheTargetAloneWrites(Precision precision) {
        try (var target = TinyTarget.open(precision)) {
            var plain = Decoder.plain(target, new SampleAndMatchRule(), () -> 0);
            for (var plan : List.of(new TreePlan.Chain(4), new TreePlan.Dynamic(3, 4, 8))) {
                for (var config :
                        List.of(
                                found(SEARCH, plan),
                                found(NONE, plan),
                                fixed(List.of(1), List.of(2, 3), plan))) {
                    assertThat(decode(decoder(target, config))).isEqualTo(decode(plain));
                }
            }
        }
    }

    /// A set is tried in one pass; there are no more tries than configured, and none for a given
    /// set.
    @Test
    void theSearchHasABound() {
        assertThat(rereadBy(found(SEARCH, new TreePlan.Chain(3)))).isBetween(6L, 8L);
        assertThat(rereadBy(found(NONE, new TreePlan.Chain(3)))).isZero();
        assertThat(rereadBy(fixed(List.of(1), List.of(), new TreePlan.Chain(3)))).isZero();
    }

    @Test
    void aSetIsSpreadOverTheInnerLayers() {
        var spread = SubLayers.spread(6, 0.45);

        assertThat(spread.asSubset().attention()).hasSize(3).isSubsetOf(1, 2, 3, 4);
        assertThat(spread.asSubset().feedForward()).hasSize(2).isSubsetOf(1, 2, 3, 4);
        assertThat(SubLayers.spread(3, 0.9).skipped().cardinality()).isEqualTo(2);
    }

    @Test
    void refusesLayersThatTheTargetDoesNotHave() {
        try (var target = TinyTarget.open(Precision.F32)) {
            var config = fixed(List.of(1), List.of(4), new TreePlan.Chain(3));
            assertThatThrownBy(() -> SelfPlugin.SWIFT.create(config, () -> target))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "CONFIG_INVALID: drafter 'swift' skips a sub-layer of layer 4, but target 'tiny' has 4 layers, expected 0 to 3\n"
                                    + "  Name layers that the target has in 'skip'.");
        }
        assertThatThrownBy(() -> new SwiftConfig.Skip(List.of(), List.of()))
                .hasMessage("'skip' names no sub-layer: what is left is the target itself");
        assertThatThrownBy(() -> new SwiftConfig.Skip(List.of(1, 1), List.of()))
                .hasMessage("'attention' must be different layers from 0 on, got [1, 1]");
        assertThatThrownBy(() -> new SwiftConfig.Search(8, 1, 8, 5))
                .hasMessage("together 1 must be between 2 and 100");
    }

    private static long rereadBy(SwiftConfig config) {
        var counts = new ArrayList<CountingNetwork>();
        try (var target =
                TinyTarget.open(
                        Precision.F32,
                        network -> {
                            counts.add(new CountingNetwork((LayeredNetwork) network));
                            return counts.getLast();
                        })) {
            decode(decoder(target, config));
            return counts.getFirst().reread();
        }
    }

    private static SwiftConfig found(SwiftConfig.Search search, TreePlan plan) {
        return new SwiftConfig(Optional.empty(), 0.45, search, Drafting.of(plan));
    }

    private static SwiftConfig fixed(
            List<Integer> attention, List<Integer> feedForward, TreePlan plan) {
        return new SwiftConfig(
                Optional.of(new SwiftConfig.Skip(attention, feedForward)),
                0.45,
                NONE,
                Drafting.of(plan));
    }

    private static Decoder decoder(TargetModel target, SwiftConfig config) {
        return new Decoder(
                target,
                Optional.of(SelfPlugin.SWIFT.create(config, () -> target)),
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

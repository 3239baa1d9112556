package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DraftingTest {
    @Test
    void draftsAChainOfFourUnlessToldOtherwise() {
        assertThat(shape(Optional.empty(), Optional.empty()).plan())
                .isEqualTo(new TreePlan.Chain(4));
        assertThat(shape(Optional.of(7), Optional.empty()).plan()).isEqualTo(new TreePlan.Chain(7));
    }

    @Test
    void traitsFollowThePlanAndTheDraftersOwnTemperature() {
        var dynamic = new TreePlan.Dynamic(3, 4, 10);

        assertThat(shape(Optional.empty(), Optional.of(dynamic)).traits(false))
                .isEqualTo(DrafterTraits.tree(10, 4));
        assertThat(withTemperature(0).traits(false)).isEqualTo(DrafterTraits.chain(4));
        assertThat(withTemperature(0.7).traits(false).selections())
                .containsExactly(Selection.Kind.INDEPENDENT);
    }

    @Test
    void samplesLikeTheTargetUnlessToldOtherwise() {
        var target = new SamplingPolicy(0.9, 40, 0.95, 0, 1.1);

        assertThat(shape(Optional.empty(), Optional.empty()).policy(target)).isEqualTo(target);
        assertThat(withTemperature(0.7).policy(target))
                .isEqualTo(SamplingPolicy.atTemperature(0.7));
    }

    @Test
    void thresholdsBecomeStopRules() {
        assertThat(withStop(0, Optional.empty()).stopRule()).isEqualTo(new StopRule.Never());
        assertThat(withStop(0.4, Optional.empty()).stopRule())
                .isEqualTo(new StopRule.LowConfidence(0.4));
        assertThat(withStop(0, Optional.of(new Drafting.EntropyStop(0.3, 0.2))).stopRule())
                .isEqualTo(new StopRule.HighEntropy(0.3, 0.2));
    }

    @Test
    void refusesContradictionsAndValuesOutOfRange() {
        assertThatThrownBy(() ->
                        shape(Optional.of(3), Optional.of(new TreePlan.LevelWidths(List.of(2)))))
                .hasMessage("'length' (3) and 'tree' exclude each other");
        assertThatThrownBy(() -> shape(Optional.of(0), Optional.empty()))
                .hasMessage("'length' 0 must be between 1 and 1024");
        assertThatThrownBy(() -> withStop(1.5, Optional.empty()))
                .hasMessage("'confidenceThreshold' 1.5 must be between 0 and 1");
        assertThatThrownBy(() -> withStop(0.4, Optional.of(new Drafting.EntropyStop(0.3, 0.2))))
                .hasMessage("'confidenceThreshold' (0.4) and 'entropyStop' exclude each other");
        assertThatThrownBy(() -> withTemperature(-1))
                .hasMessage("temperature -1.0 must be 0 or more and below 1e6");
    }

    private static Drafting withTemperature(double temperature) {
        return new Drafting(
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Drafting.Sampling(temperature, 0, 1, 0, 1)),
                0,
                Optional.empty());
    }

    private static Drafting withStop(double confidence, Optional<Drafting.EntropyStop> entropy) {
        return new Drafting(
                Optional.empty(), Optional.empty(), Optional.empty(), confidence, entropy);
    }

    private static Drafting shape(Optional<Integer> length, Optional<TreePlan> tree) {
        return new Drafting(length, tree, Optional.empty(), 0, Optional.empty());
    }
}

package dev.outrider.testkit;

import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/// Common models and settings of these tests.
final class Toy {
    static final int[] PROMPT = {0, 1};
    static final SamplingPolicy PLAIN = SamplingPolicy.atTemperature(1);

    private Toy() {}

    /// Returns a model that counts up, and begins again after the last token.
    static TableModel counting(int vocabulary) {
        return TableModel.of(
                vocabulary,
                prefix -> {
                    var distribution = new double[vocabulary];
                    distribution[(prefix.getLast() + 1) % vocabulary] = 1;
                    return distribution;
                });
    }

    /// Returns every style of the target's distributions with every style of the drafter's.
    static Stream<Arguments> stylePairs() {
        return Stream.of(DistributionStyle.values())
                .flatMap(target ->
                        Stream.of(DistributionStyle.values())
                                .map(draft -> Arguments.of(target, draft)));
    }

    static Decoder decoder(TargetModel target, Drafter drafter, AcceptanceRule rule) {
        return new Decoder(
                target, Optional.of(drafter), rule, FixedLength.drafterLimit(), false, () -> 0);
    }

    /// Returns a drafter that changes another one's drafts and declares that it may choose nodes in
    /// any way: the decoder would refuse a visible contradiction before it reached the rule. The
    /// function receives the correct draft and the draft of the previous round.
    static Drafter spoilt(Drafter honest, BiFunction<Draft, Draft, Draft> spoil) {
        var faulty =
                FaultyDrafters.spoiling(
                        honest, (round, draft, before) -> spoil.apply(draft, before));
        return new WrappedDrafter(faulty, UnaryOperator.identity()) {
            @Override
            public DrafterTraits traits() {
                var own = super.traits();
                return own.selecting(Selection.Kind.any());
            }
        };
    }
}

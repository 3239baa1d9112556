package com.example.handicap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableDrafter;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandicapTest {
    private static final TableModel P = TableModel.constant(.5, .3, .2);
    private static final TableModel Q = TableModel.constant(.2, .5, .3);
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);

    @Test
    void acceptsWithTheOverlapOfTheDividedDistribution() {
        assertEquals(1 + .2 + .3 + .2, expectedTokens(1), 1e-6);
        assertEquals(1 + .2 + .15 + .1, expectedTokens(2), 1e-6);
        assertEquals(1 + (.5 + .3 + .2) / 100, expectedTokens(100), 1e-6);
    }

    @Test
    void aDivisorBelowOneWouldNotBeExactAndIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new HandicapConfig(.5));
    }

    /// Tokens of one round with one guess: the one that follows, and the guess if it is accepted.
    private static double expectedTokens(double divisor) {
        var decoder =
                new Decoder(
                        TableTarget.of(P),
                        Optional.of(new TableDrafter(Q, new TreePlan.Chain(1), WARM)),
                        new HandicapFactory().create(new HandicapConfig(divisor)),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        return ExactDistribution.expectedLength(ExactDistribution.emitted(decoder, WARM, new int[] {0}, 1));
    }
}

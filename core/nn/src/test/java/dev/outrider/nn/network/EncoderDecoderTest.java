package dev.outrider.nn.network;

import static dev.outrider.nn.network.Cases.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.Cases.Family;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests the effect of a source on a sequence, and what encoder-decoders refuse.
class EncoderDecoderTest {

    static final List<Family> FAMILIES =
            List.of(Family.T5, Family.T5_GATED, Family.BART, Family.MARIAN);

    private static EncoderDecoderNetwork open(Model model) {
        return (EncoderDecoderNetwork) model.vector(Precision.F32);
    }

    private static Model model(Family family, long seed) {
        return new Cases(seed).model(family, seed);
    }

    @Test
    void anotherSourceIsAnotherSequence() {
        for (var family : FAMILIES) {
            try (var network = open(model(family, 7))) {
                var one = logits(network, 3, 4, 5);
                assertThat(difference(logits(network, 3, 4, 5), one)).isZero();
                assertThat(difference(logits(network, 3, 4, 6), one)).isGreaterThan(1e-3);
                assertThat(difference(logits(network, 3, 5, 4), one)).isGreaterThan(1e-3);
                assertThat(difference(logits(network, 3, 4), one)).isGreaterThan(1e-3);
            }
        }
    }

    private static float[] logits(EncoderDecoderNetwork network, int... source) {
        try (var cache = network.newCache(8, source)) {
            return logits(network, cache);
        }
    }

    private static float[] logits(DecoderNetwork network, KvCache cache) {
        try (var result =
                network.forward(
                        List.of(RowBlock.continuing(cache, 1, 2)), PassOutputs.allLogits())) {
            return floats(result.logits(1));
        }
    }

    @Test
    void badSourcesAreRefused() {
        try (var network = open(model(Family.BART, 19))) {
            assertThatThrownBy(() -> network.newCache(8)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> network.newCache(8, new int[0]))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> network.newCache(8, new int[] {99}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("99");
            assertThatThrownBy(() -> network.newCache(8, new int[65]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static double difference(float[] one, float[] other) {
        double most = 0;
        for (int index = 0; index < one.length; index++) {
            most = Math.max(most, Math.abs(one[index] - other[index]));
        }
        return most;
    }
}

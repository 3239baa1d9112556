package dev.outrider.drafting.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A draft layer's own matrices and those of its target, by rows.
class CopiedWeightsTest {
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(3)
                    .hiddenSize(4)
                    .intermediateSize(4)
                    .layers(1)
                    .heads(2)
                    .keyValueHeads(1)
                    .maxPositions(8)
                    .tiedHead(true)
                    .build();

    @Test
    void itsOwnMatricesComeInPiecesAndThoseOfTheTargetWhole() {
        var lent = MemorySegment.ofArray(new float[12]);
        var pieces = new Pieces();
        var weights =
                new CopiedWeights(
                        CONFIG,
                        pieces,
                        Set.of(Weight.EMBEDDING),
                        new SharedWeights(3, 4, lent, lent));

        assertThat(rows(weights, Weight.UP)).containsExactly(pieces.first, pieces.second);
        assertThat(rows(weights, Weight.EMBEDDING)).containsExactly(lent);
    }

    private static ArrayList<MemorySegment> rows(WeightSource source, Weight weight) {
        var rows = new ArrayList<MemorySegment>();
        source.readRows(weight, 0, rows::add);
        return rows;
    }

    private static final class Pieces implements WeightSource {
        private final MemorySegment first = MemorySegment.ofArray(new float[4]);
        private final MemorySegment second = MemorySegment.ofArray(new float[12]);

        @Override
        public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
            throw new AssertionError("whole");
        }

        @Override
        public void readRows(Weight weight, int layer, Consumer<MemorySegment> reader) {
            reader.accept(first);
            reader.accept(second);
        }
    }
}

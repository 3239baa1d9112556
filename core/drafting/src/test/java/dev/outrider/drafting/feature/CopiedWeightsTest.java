package dev.outrider.drafting.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Join;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Compares a draft layer's own matrices with those of its target, row by row.
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

    private static final DecoderConfig LAYER =
            CONFIG.toBuilder()
                    .tiedHead(false)
                    .build()
                    .fused(FusionConfig.of(Join.EMBEDDING_FIRST, 4, 3));

    @Test
    void itsOwnMatricesComeInPiecesAndThoseOfTheTargetWhole() {
        var lent = MemorySegment.ofArray(new float[12]);
        var pieces = new Pieces();
        var weights =
                new TargetFit.CopiedWeights(
                        CONFIG,
                        pieces,
                        Set.of(Weight.EMBEDDING),
                        new SharedWeights(3, 4, lent, lent));

        assertThat(rows(weights, Weight.UP)).containsExactly(pieces.first, pieces.second);
        assertThat(rows(weights, Weight.EMBEDDING)).containsExactly(lent);
    }

    @Test
    void whatIsLentTakesNothingWhileItIsReadAndMemoryWhereItIsKept() {
        var lent = MemorySegment.ofArray(new float[12]);
        var weights =
                TargetFit.CopiedWeights.of(
                        LAYER, new Pieces(), new SharedWeights(3, 4, lent, lent));
        var whole = weights.config();

        assertThat(weights.readingBytes(whole, Weight.EMBEDDING, 0)).isZero();
        assertThat(weights.readingBytes(whole, Weight.HEAD, 0)).isZero();
        assertThat(weights.readingBytes(whole, Weight.JOIN, 0)).isEqualTo(8 * 4 * 4);
        assertThat(DecoderMemory.of(whole, weights, Precision.F32).weights())
                .isEqualTo(Weight.parameters(LAYER) * 4 + 2 * 12 * 4 + 8 * 4 * 4);
    }

    @Test
    void aLayerIsRefusedBeforeItCopiesMoreThanFits() {
        int tokens = 1 << 30;
        var lent = MemorySegment.ofArray(new float[0]);
        var layer =
                CONFIG.toBuilder()
                        .tiedHead(false)
                        .vocabularySize(tokens)
                        .hiddenSize(512)
                        .build()
                        .fused(FusionConfig.of(Join.EMBEDDING_FIRST, 512, tokens));
        var target = new Lender(new SharedWeights(tokens, 512, lent, lent));

        assertThatThrownBy(() ->
                        new TargetFit("big", target).load(layer, new Pieces(), Optional.empty()))
                .hasMessageStartingWith("OUT_OF_MEMORY")
                .hasMessageContaining("drafter 'big'");
    }

    private static ArrayList<MemorySegment> rows(WeightSource source, Weight weight) {
        var rows = new ArrayList<MemorySegment>();
        source.readRows(weight, 0, rows::add);
        return rows;
    }

    /// A target of another back end.
    private record Lender(SharedWeights shared) implements TargetModel {
        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return Optional.of(shared).filter(type::isInstance).map(type::cast);
        }

        @Override
        public TargetDescription description() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Tokenizer tokenizer() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TargetSession open(SessionRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
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

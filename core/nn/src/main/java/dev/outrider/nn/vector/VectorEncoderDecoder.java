package dev.outrider.nn.vector;

import dev.outrider.common.Require;
import dev.outrider.common.Undo;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.SourceEncoder;
import dev.outrider.nn.network.WeightSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An encoder-decoder whose passes are Java's vector code. Every row gets the same bits as it would alone.
public final class VectorEncoderDecoder implements EncoderDecoderNetwork {
    private final VectorNetwork decoder;
    private final SourceEncoder encoder;
    private final Optional<VectorEncoder> owned;

    /// Loads all weights.
    ///
    /// @param encoder architecture of the encoder, which reads the decoder's embedding
    /// @param decoder architecture of the decoder
    /// @param rows    how rows are that matrices of integers multiply
    public VectorEncoderDecoder(
            DecoderConfig encoder,
            WeightSource encoderWeights,
            DecoderConfig decoder,
            WeightSource decoderWeights,
            Precision precision,
            RowPrecision rows) {
        this.decoder = new VectorNetwork(decoder, decoderWeights, precision, rows);
        var lender = Optional.of(this.decoder.passes());
        var own =
                Undo.onFailure(
                        this.decoder::close,
                        () -> VectorPasses.of(encoder, encoderWeights, precision, rows, lender));
        owned = Optional.of(new VectorEncoder(own));
        this.encoder = owned.get();
    }

    /// Loads a decoder that attends to the states of another model's encoder.
    ///
    /// @param encoder not closed with this
    /// @throws IllegalArgumentException if its states have another width than the decoder's
    public VectorEncoderDecoder(
            SourceEncoder encoder,
            DecoderConfig decoder,
            WeightSource weights,
            Precision precision,
            RowPrecision rows) {
        Require.that(
                encoder.hiddenSize() == decoder.hiddenSize(),
                "states of width %d for a decoder of width %d",
                encoder.hiddenSize(),
                decoder.hiddenSize());
        this.decoder = new VectorNetwork(decoder, weights, precision, rows);
        this.encoder = encoder;
        owned = Optional.empty();
    }

    @Override
    public KvCache newCache(int rows, int[] source) {
        return decoder.passes().newCache(rows, encoder.encode(source), source.length);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        return decoder.forward(blocks, outputs);
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == SourceEncoder.class
                ? Optional.of(type.cast(encoder))
                : EncoderDecoderNetwork.super.capability(type).or(() -> decoder.capability(type));
    }

    @Override
    public void close() {
        try (decoder) {
            owned.ifPresent(VectorEncoder::close);
        }
    }

    /// An encoder in Java's vector code. It remembers the states it made last, for a drafter mostly reads what its target has just read.
    static final class VectorEncoder implements SourceEncoder, AutoCloseable {
        private final VectorPasses passes;
        private Optional<Encoded> last = Optional.empty();

        private record Encoded(int[] source, float[] states) {}

        /// @param passes of the encoder; closed with this
        VectorEncoder(VectorPasses passes) {
            this.passes = passes;
        }

        @Override
        public int hiddenSize() {
            return passes.config().hiddenSize();
        }

        @Override
        public synchronized float[] encode(int[] source) {
            if (last.isEmpty() || !Arrays.equals(last.get().source(), source)) {
                last = Optional.of(new Encoded(source.clone(), states(source)));
            }
            return last.get().states();
        }

        private float[] states(int[] source) {
            try (var cache = passes.newCache(source.length)) {
                return passes.states(RowBlock.mutual(cache, source));
            }
        }

        @Override
        public void close() {
            passes.close();
        }
    }
}

package dev.outrider.nn.vector;

import dev.outrider.common.Undo;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.WeightSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// An encoder-decoder whose passes run in Java's vector code. Every row has the same bits as in a separate pass. The states of
/// the last source are kept, because consecutive sequences often have the same source.
public final class VectorEncoderDecoder implements EncoderDecoderNetwork {
    private final VectorNetwork decoder;
    private final VectorPasses encoder;
    private Optional<Encoded> last = Optional.empty();

    private record Encoded(int[] source, float[] states) {}

    /// Loads all weights.
    ///
    /// @param encoder architecture of the encoder, which reads the decoder's embedding
    /// @param decoder architecture of the decoder
    /// @param rows    number format of the rows that matrices of integers multiply
    public VectorEncoderDecoder(
            DecoderConfig encoder,
            WeightSource encoderWeights,
            DecoderConfig decoder,
            WeightSource decoderWeights,
            Precision precision,
            RowPrecision rows) {
        this.decoder = new VectorNetwork(decoder, decoderWeights, precision, rows);
        var lender = Optional.of(this.decoder.passes());
        this.encoder =
                Undo.onFailure(
                        this.decoder::close,
                        () -> VectorPasses.of(encoder, encoderWeights, precision, rows, lender));
    }

    @Override
    public KvCache newCache(int rows, int[] source) {
        return decoder.passes().newCache(rows, encode(source), source.length);
    }

    private synchronized float[] encode(int[] source) {
        if (last.isEmpty() || !Arrays.equals(last.get().source(), source)) {
            try (var cache = encoder.newCache(source.length)) {
                var states = encoder.states(RowBlock.mutual(cache, source));
                last = Optional.of(new Encoded(source.clone(), states));
            }
        }
        return last.get().states();
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        return decoder.forward(blocks, outputs);
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return EncoderDecoderNetwork.super.capability(type).or(() -> decoder.capability(type));
    }

    @Override
    public void close() {
        try (decoder) {
            encoder.close();
        }
    }
}

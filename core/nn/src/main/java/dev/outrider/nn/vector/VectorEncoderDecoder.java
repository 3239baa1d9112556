package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.EncoderDecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An encoder-decoder whose passes are Java's vector code. Every row gets the same bits as it would alone.
public final class VectorEncoderDecoder implements EncoderDecoderNetwork {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final VectorNetwork decoder;
    private final VectorPasses encoder;

    /// Loads all weights.
    ///
    /// @param encoder architecture of the encoder, which reads the decoder's embedding
    /// @param decoder architecture of the decoder
    public VectorEncoderDecoder(
            DecoderConfig encoder,
            WeightSource encoderWeights,
            DecoderConfig decoder,
            WeightSource decoderWeights,
            Precision precision) {
        this.decoder = new VectorNetwork(decoder, decoderWeights, precision);
        boolean whole = false;
        try {
            var lender = Optional.of(this.decoder.passes());
            this.encoder = VectorPasses.of(encoder, encoderWeights, precision, lender);
            whole = true;
        } finally {
            if (!whole) {
                this.decoder.close();
            }
        }
    }

    /// How its matrices are kept.
    public Precision precision() {
        return decoder.precision();
    }

    @Override
    public KvCache newCache(int rows, int[] source) {
        return decoder.passes().newCache(rows, encode(source), source.length);
    }

    /// What the encoder makes of a source, `[length, hiddenSize]`.
    float[] encode(int[] source) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(LAST));
        int size = encoder.config().hiddenSize();
        try (var cache = encoder.newCache(source.length)) {
            var plan =
                    PassPlan.of(List.of(RowBlock.mutual(cache, source)), outputs, encoder.config());
            try (var result = encoder.forward(plan, outputs, Optional.empty())) {
                var states = new float[Math.multiplyExact(source.length, size)];
                for (int row = 0; row < source.length; row++) {
                    MemorySegment.copy(
                            result.hidden(LAST, row),
                            ValueLayout.JAVA_FLOAT,
                            0,
                            states,
                            row * size,
                            size);
                }
                return states;
            }
        }
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

package dev.outrider.nn.network;

import dev.outrider.nn.runtime.ElementType;
import dev.outrider.spi.target.HiddenState;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The fast encoder-decoder: both stacks are generated code over packed weights, as in [ScriptedNetwork]. The encoder reads the
/// decoder's embedding in place.
public final class ScriptedEncoderDecoder implements EncoderDecoderNetwork {
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    private final ScriptedNetwork decoder;
    private final ScriptedPasses encoder;

    /// Loads and packs all weights in the fastest way for this machine.
    ///
    /// @param encoder architecture of the encoder, which reads the decoder's embedding
    /// @param decoder architecture of the decoder
    public ScriptedEncoderDecoder(
            DecoderConfig encoder,
            WeightSource encoderWeights,
            DecoderConfig decoder,
            WeightSource decoderWeights,
            ElementType type) {
        this(encoder, encoderWeights, decoder, decoderWeights, LinearKind.fastest(decoder, type));
    }

    ScriptedEncoderDecoder(
            DecoderConfig encoder,
            WeightSource encoderWeights,
            DecoderConfig decoder,
            WeightSource decoderWeights,
            LinearKind kind) {
        this.decoder = new ScriptedNetwork(decoder, decoderWeights, kind);
        boolean whole = false;
        try {
            var lender = Optional.of(new BorrowedWeights(this.decoder));
            this.encoder = new ScriptedPasses(encoder, encoderWeights, kind, lender);
            whole = true;
        } finally {
            if (!whole) {
                this.decoder.close();
            }
        }
    }

    /// Element type of weights and caches.
    public ElementType type() {
        return decoder.type();
    }

    @Override
    public KvCache newCache(int rows, int[] source) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(LAST));
        try (var cache = encoder.newCache(source.length)) {
            var plan =
                    PassPlan.of(List.of(RowBlock.mutual(cache, source)), outputs, encoder.config());
            try (var result = encoder.forward(plan, outputs, List.of())) {
                return decoder.newCache(rows, result.hidden(LAST));
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

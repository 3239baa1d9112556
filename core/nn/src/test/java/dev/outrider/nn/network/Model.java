package dev.outrider.nn.network;

import dev.outrider.nn.vector.VectorEncoderDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import java.util.Optional;
import java.util.function.BiFunction;

/// A model under test: a decoder alone, or an encoder-decoder.
///
/// @param decoder the network that a pass runs
/// @param encoder the network that reads the source
record Model(Stack decoder, Optional<Stack> encoder) {
    /// @param config  its architecture
    /// @param weights its weights
    record Stack(DecoderConfig config, WeightSource weights) {
        private Stack with(BiFunction<DecoderConfig, WeightSource, WeightSource> changed) {
            return new Stack(config, changed.apply(config, weights));
        }
    }

    /// Random weights that bfloat16 can hold.
    static Stack rounded(DecoderConfig config, long seed) {
        return new Stack(config, new RoundedWeights(new RandomWeights(config, seed, 1.0)));
    }

    /// The same with other weights.
    Model with(BiFunction<DecoderConfig, WeightSource, WeightSource> changed) {
        return new Model(decoder.with(changed), encoder.map(stack -> stack.with(changed)));
    }

    DecoderNetwork vector(Precision precision) {
        return vector(precision, RowPrecision.INT8);
    }

    DecoderNetwork vector(Precision precision, RowPrecision rows) {
        return encoder.<DecoderNetwork>map(reader ->
                        new VectorEncoderDecoder(
                                reader.config(),
                                reader.weights(),
                                decoder.config(),
                                decoder.weights(),
                                precision,
                                rows))
                .orElseGet(() ->
                        new VectorNetwork(decoder.config(), decoder.weights(), precision, rows));
    }

    @Override
    public String toString() {
        return "%s%s"
                .formatted(
                        decoder.config(),
                        encoder.map(reader -> " reads " + reader.config()).orElse(""));
    }
}

package dev.outrider.nn.bench;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.ScriptedNetwork;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;

/// What runs passes on the processor.
public enum BenchEngine {
    /// Java's vector code.
    VECTOR,

    /// The tensor engine.
    DJL;

    DecoderNetwork open(DecoderConfig shape, WeightSource weights, Precision precision) {
        return switch (this) {
            case VECTOR -> new VectorNetwork(shape, weights, precision);
            case DJL -> new ScriptedNetwork(shape, weights, precision.ofTensors("bench-model"));
        };
    }

    /// What a decoder takes of memory.
    DecoderMemory memory(DecoderConfig shape, Precision precision) {
        return switch (this) {
            case VECTOR -> DecoderMemory.of(shape, precision);
            case DJL -> DecoderMemory.of(shape, precision.ofTensors("bench-model"));
        };
    }

    /// Bytes of a number in the cache.
    int cacheBytes(Precision precision) {
        return switch (this) {
            case VECTOR -> Float.BYTES;
            case DJL -> precision.ofTensors("bench-model").bytes();
        };
    }

    /// What runs, in words.
    String words(Precision precision) {
        return switch (this) {
            case VECTOR ->
                    "Java's vector code, %s%s"
                            .formatted(
                                    VectorMachine.name(),
                                    precision == Precision.W8A8
                                            ? ", integers by " + VectorMachine.integers()
                                            : "");
            case DJL -> TensorRuntime.info().name();
        };
    }
}

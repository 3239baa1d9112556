package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A target in Java's vector code that lends heads its weights, and the hidden states that heads read.
final class Counting implements TargetWeights, AutoCloseable {
    private final VectorNetwork network;
    private final TargetWeights lent;

    Counting(Path folder) {
        var directory = new Checkpoint(folder);
        var model = ModelConfig.read(directory);
        try (var tensors = directory.openTensors()) {
            network =
                    new VectorNetwork(
                            model.decoder(),
                            CheckpointWeights.of(model.decoder(), tensors, model.quantisation()),
                            Precision.F32);
        }
        lent = new TargetWeights.Own(network);
    }

    /// Returns the hidden state after one token.
    float[] hidden(int token) {
        try (var cache = network.newCache(1);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, token)),
                                new PassOutputs(
                                        PassOutputs.LogitRows.NONE,
                                        Set.of(new HiddenState.AfterFinalNorm())))) {
            return result.hidden(new HiddenState.AfterFinalNorm(), 0)
                    .toArray(ValueLayout.JAVA_FLOAT);
        }
    }

    @Override
    public float[] embeddings(int[] tokens) {
        return lent.embeddings(tokens);
    }

    @Override
    public void head(float[] states, int rows, float[] logits) {
        lent.head(states, rows, logits);
    }

    @Override
    public void close() {
        network.close();
    }
}

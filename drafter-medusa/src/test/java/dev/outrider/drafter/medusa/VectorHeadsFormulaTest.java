package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.drafting.head.BackendKey;
import dev.outrider.drafting.head.DraftBackend;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.TargetWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.target.TargetModel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares heads with plain loops over the same tensors.
class VectorHeadsFormulaTest {
    private static final int SIZE = Cycle.TOKENS;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "PER_HEAD, 1, true, VECTOR",
        "PER_HEAD, 2, true, VECTOR",
        "PER_HEAD, 3, false, VECTOR",
        "ONE, 1, true, VECTOR",
        "ONE, 2, false, VECTOR",
        "TARGET, 1, true, VECTOR",
        "TARGET, 2, true, VECTOR",
        "PER_HEAD, 1, true, TORNADO",
        "PER_HEAD, 3, false, TORNADO",
        "ONE, 2, false, TORNADO",
        "TARGET, 2, true, TORNADO"
    })
    void logitsEqualPlainLoops(
            VectorHeads.Projection projection, int layers, boolean biased, DraftBackend backend) {
        var tensors = tensors(projection, layers, biased);
        var hidden = new SplittableRandom(3).doubles(SIZE, -2, 2).toArray();
        try (var target = Cycle.target();
                var checkpoint = MedusaCheckpoint.open(tensors.write(folder), SIZE, SIZE);
                var heads = load(checkpoint, target, new BackendKey(backend))) {
            int block = SIZE * SIZE + (biased ? SIZE : 0);
            int projections = checkpoint.sizes().projections(2);
            assertThat(heads.parameters())
                    .isEqualTo(2 * layers * block + projections * SIZE * SIZE);
            var state = new float[SIZE];
            for (int i = 0; i < SIZE; i++) {
                state[i] = (float) hidden[i];
            }
            float[] found = heads.logits(state);
            for (int head = 0; head < 2; head++) {
                var logits = logits(tensors, projection, head, layers, biased, hidden);
                for (int token = 0; token < SIZE; token++) {
                    assertThat((double) found[head * SIZE + token])
                            .isCloseTo(logits[token], within(1e-4));
                }
            }
        }
    }

    private static VectorHeads load(
            MedusaCheckpoint checkpoint, TargetModel target, BackendKey engine) {
        var matrices =
                new HeadMatrices(
                        "medusa",
                        checkpoint.matrices(),
                        Optional.of(Precision.F32),
                        engine,
                        target);
        return checkpoint.load(
                2,
                matrices,
                Optional.of(checkpoint.sizes().projection())
                        .filter(VectorHeads.Projection.TARGET::equals)
                        .map(_ -> TargetWeights.of("medusa", target, matrices::loadLent)));
    }

    private static HeadFile tensors(VectorHeads.Projection projection, int layers, boolean biased) {
        var tensors = new HeadFile(8);
        for (int head = 0; head < 3; head++) {
            for (int layer = 0; layer < layers; layer++) {
                var block = "blocks.%d.layers.%d.".formatted(head, layer);
                tensors.random(block + "weight", SIZE, SIZE);
                if (biased) {
                    tensors.random(block + "bias", SIZE);
                }
            }
            if (projection == VectorHeads.Projection.PER_HEAD) {
                tensors.random("lm_heads." + head + ".weight", SIZE, SIZE);
            }
        }
        return projection == VectorHeads.Projection.ONE
                ? tensors.random("lm_head.weight", SIZE, SIZE)
                : tensors;
    }

    private static double[] logits(
            HeadFile tensors,
            VectorHeads.Projection projection,
            int head,
            int layers,
            boolean biased,
            double[] hidden) {
        double[] x = hidden;
        for (int layer = 0; layer < layers; layer++) {
            var block = "blocks.%d.layers.%d.".formatted(head, layer);
            var y = product(tensors.values(block + "weight"), x);
            var next = x.clone();
            for (int i = 0; i < SIZE; i++) {
                double value = y[i] + (biased ? tensors.values(block + "bias")[i] : 0);
                next[i] += value / (1 + Math.exp(-value));
            }
            x = next;
        }
        return switch (projection) {
            case PER_HEAD -> product(tensors.values("lm_heads." + head + ".weight"), x);
            case ONE -> product(tensors.values("lm_head.weight"), x);
            case TARGET -> product(Cycle.projection(1), x);
        };
    }

    private static double[] product(float[] matrix, double[] x) {
        var y = new double[SIZE];
        for (int row = 0; row < SIZE; row++) {
            for (int column = 0; column < SIZE; column++) {
                y[row] += matrix[row * SIZE + column] * x[column];
            }
        }
        return y;
    }
}

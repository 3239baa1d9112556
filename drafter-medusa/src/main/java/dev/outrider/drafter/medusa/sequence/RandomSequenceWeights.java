package dev.outrider.drafter.medusa.sequence;

import dev.outrider.drafter.medusa.HeadPlan;
import dev.outrider.drafter.medusa.sequence.Matrices.Stored;
import dev.outrider.nn.network.DecoderConfig;
import java.util.Optional;
import java.util.SplittableRandom;

/// Random heads for a target's shape, for measurements: Hydra's, or one recurrent head whose blocks are as wide as the projection
/// reads. Numbers are uniform with standard deviation 0.02.
///
/// @param target     the target's shape
/// @param heads      number of Hydra's heads
/// @param layers     residual blocks of a head
/// @param whose      whose projection they use
record RandomSequenceWeights(DecoderConfig target, int heads, int layers, HeadPlan.Projection whose)
        implements HydraWeights, RecurrentWeights {
    private static final double BOUND = 0.02 * Math.sqrt(3);

    @Override
    public int hiddenSize() {
        return target.hiddenSize();
    }

    @Override
    public int vocabulary() {
        return target.vocabularySize();
    }

    @Override
    public Stored block(int head, int layer) {
        return matrix(hiddenSize(), layer == 0 ? (head + 2) * hiddenSize() : hiddenSize());
    }

    @Override
    public Stored residual(int head) {
        return block(head, 0);
    }

    @Override
    public Optional<Stored> projection(int head) {
        return own(hiddenSize());
    }

    @Override
    public Optional<Stored> state() {
        return Optional.of(matrix(hiddenSize(), hiddenSize()));
    }

    @Override
    public Optional<Stored> token() {
        return state();
    }

    @Override
    public Optional<Stored> input() {
        return exit() == 2 * hiddenSize()
                ? Optional.empty()
                : Optional.of(matrix(exit(), 2 * hiddenSize()));
    }

    @Override
    public Stored block(int layer) {
        return matrix(exit(), exit());
    }

    @Override
    public Optional<Stored> projection() {
        return own(exit());
    }

    /// Width that a recurrent head's blocks read: published heads read hidden state and draft state end to end.
    private int exit() {
        return switch (whose) {
            case OWN -> 2 * hiddenSize();
            case TARGET -> hiddenSize();
        };
    }

    private Optional<Stored> own(int columns) {
        return switch (whose) {
            case OWN -> Optional.of(matrix(vocabulary(), columns));
            case TARGET -> Optional.empty();
        };
    }

    private static Stored matrix(int rows, int columns) {
        var random = new SplittableRandom(rows + 7L * columns);
        var values = new float[Math.multiplyExact(rows, columns)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (random.nextInt() * 0x1p-31 * BOUND);
        }
        return new Stored("random", values, rows, columns, Optional.of(new float[rows]));
    }
}

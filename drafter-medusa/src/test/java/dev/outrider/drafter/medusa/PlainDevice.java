package dev.outrider.drafter.medusa;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import java.util.Optional;

/// In the place of the back end `tornado`: computes parts of heads with plain loops.
public final class PlainDevice implements DecoderBackend {
    @Override
    public String name() {
        return "tornado";
    }

    @Override
    public HeadPart load(String drafter, HeadPart.Weights weights, Optional<Precision> precision) {
        return new Part(weights);
    }

    @Override
    public LoadedDecoder load(Checkpoint directory, Optional<Precision> precision) {
        throw new UnsupportedOperationException();
    }

    @Override
    public BlockNetwork load(
            String drafter,
            DecoderConfig config,
            WeightSource weights,
            Optional<Precision> precision,
            int block) {
        throw new UnsupportedOperationException();
    }

    private record Part(HeadPart.Weights weights) implements HeadPart {
        @Override
        public void apply(float[] x, int rows, float[] y) {
            float[] states = x;
            for (int block = 0; block < weights.blocks().size(); block++) {
                var gates = product(weights.blocks().get(block), states, rows);
                if (block == 0 && weights.residual().isPresent()) {
                    states = product(weights.residual().get(), states, rows);
                } else {
                    states = states.clone();
                }
                for (int index = 0; index < gates.length; index++) {
                    states[index] += (float) (gates[index] / (1 + Math.exp(-gates[index])));
                }
            }
            float[] result =
                    weights.projection().isPresent()
                            ? product(weights.projection().get(), states, rows)
                            : states;
            System.arraycopy(result, 0, y, 0, result.length);
        }

        private static float[] product(LinearWeights matrix, float[] x, int rows) {
            int columns = matrix.columns();
            var y = new float[rows * matrix.rows()];
            for (int index = 0; index < y.length; index++) {
                int output = index % matrix.rows();
                double sum = matrix.bias().map(bias -> bias[output]).orElse(0f);
                for (int column = 0; column < columns; column++) {
                    sum +=
                            matrix.numbers()[output * columns + column]
                                    * x[index / matrix.rows() * columns + column];
                }
                y[index] = (float) sum;
            }
            return y;
        }

        @Override
        public void close() {}
    }
}

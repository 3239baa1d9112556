package dev.outrider.training;

import dev.outrider.torch.LayerScript;
import java.util.List;

/// The decoder in plain loops over doubles: the twin that the TorchScript decoder is compared with.
final class ReferenceDecoder {
    private final DecoderShape shape;
    private final List<double[]> p;

    /// @param p in the order of [DecoderParameters#of]
    ReferenceDecoder(DecoderShape shape, List<double[]> p) {
        this.shape = shape;
        this.p = p;
    }

    double[][] logits(int[] tokens) {
        int hidden = shape.hiddenSize();
        var x = new double[tokens.length][hidden];
        for (int t = 0; t < tokens.length; t++) {
            System.arraycopy(p.getFirst(), tokens[t] * hidden, x[t], 0, hidden);
        }
        for (int layer = 0; layer < shape.layers(); layer++) {
            int first = 1 + layer * LayerScript.PARAMETERS;
            attend(x, p.get(first), p.get(first + 1), p.get(first + 2));
            for (var row : x) {
                feedForward(row, p.get(first + 3), p.get(first + 4), p.get(first + 5));
            }
        }
        int norm = 1 + shape.layers() * LayerScript.PARAMETERS;
        var output = shape.tiedEmbeddings() ? p.getFirst() : p.get(norm + 1);
        var logits = new double[tokens.length][];
        for (int t = 0; t < tokens.length; t++) {
            logits[t] = times(output, normalised(x[t], p.get(norm)));
        }
        return logits;
    }

    private void attend(double[][] x, double[] norm, double[] qkv, double[] output) {
        int size = shape.headDimension();
        int heads = shape.heads();
        int shared = shape.keyValueHeads();
        var rows = new double[x.length][];
        for (int t = 0; t < x.length; t++) {
            rows[t] = times(qkv, normalised(x[t], norm));
            for (int head = 0; head < heads + shared; head++) {
                rotate(rows[t], head * size, t);
            }
        }
        for (int t = x.length - 1; t >= 0; t--) {
            var mixed = new double[heads * size];
            for (int head = 0; head < heads; head++) {
                int key = (heads + head / (heads / shared)) * size;
                int value = key + shared * size;
                var weights = new double[t + 1];
                double sum = 0;
                for (int s = 0; s <= t; s++) {
                    double score = 0;
                    for (int i = 0; i < size; i++) {
                        score += rows[t][head * size + i] * rows[s][key + i];
                    }
                    weights[s] = Math.exp(score / Math.sqrt(size));
                    sum += weights[s];
                }
                for (int s = 0; s <= t; s++) {
                    for (int i = 0; i < size; i++) {
                        mixed[head * size + i] += weights[s] / sum * rows[s][value + i];
                    }
                }
            }
            addTo(x[t], times(output, mixed));
        }
    }

    private void rotate(double[] row, int at, int position) {
        int half = shape.headDimension() / 2;
        for (int i = 0; i < half; i++) {
            double angle = position * Math.pow(shape.ropeTheta(), -2.0 * i / shape.headDimension());
            double a = row[at + i];
            double b = row[at + half + i];
            row[at + i] = a * Math.cos(angle) - b * Math.sin(angle);
            row[at + half + i] = b * Math.cos(angle) + a * Math.sin(angle);
        }
    }

    private void feedForward(double[] row, double[] norm, double[] gateUp, double[] down) {
        var both = times(gateUp, normalised(row, norm));
        int inner = shape.feedForwardSize();
        var activated = new double[inner];
        for (int i = 0; i < inner; i++) {
            activated[i] = both[i] / (1 + Math.exp(-both[i])) * both[inner + i];
        }
        addTo(row, times(down, activated));
    }

    private double[] normalised(double[] row, double[] weight) {
        double squares = 0;
        for (double value : row) {
            squares += value * value;
        }
        double scale = 1 / Math.sqrt(squares / row.length + shape.normEpsilon());
        var result = new double[row.length];
        for (int i = 0; i < row.length; i++) {
            result[i] = row[i] * scale * weight[i];
        }
        return result;
    }

    private static double[] times(double[] matrix, double[] vector) {
        var result = new double[matrix.length / vector.length];
        for (int row = 0; row < result.length; row++) {
            for (int i = 0; i < vector.length; i++) {
                result[row] += matrix[row * vector.length + i] * vector[i];
            }
        }
        return result;
    }

    private static void addTo(double[] row, double[] change) {
        for (int i = 0; i < row.length; i++) {
            row[i] += change[i];
        }
    }
}

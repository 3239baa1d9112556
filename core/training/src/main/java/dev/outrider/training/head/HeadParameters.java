package dev.outrider.training.head;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/// Computes initial parameters, constants and inputs of heads that are decoder layers over the target's features.
///
/// @param layer the layers' sizes
public record HeadParameters(FrozenTarget target, DecoderConfig layer, long seed) {
    /// Deviation of the initial numbers of a matrix.
    public static final double DEVIATION = 0.02;

    /// The states that heads are compared with: the input of the target's head.
    public static final HiddenState FEATURE = new HiddenState.AfterFinalNorm();

    private static final int PROBE = 64;

    /// Refuses layers that the target does not have.
    ///
    /// @throws IllegalArgumentException if there is one
    public static void requireLayers(FrozenTarget target, List<Integer> capturedLayers) {
        int layers = target.config().layers();
        Require.that(
                capturedLayers.stream().allMatch(passed -> passed <= layers),
                "capturedLayers %s of a target with %d layers",
                capturedLayers,
                layers);
    }

    /// Refuses a mask token that the target does not have.
    ///
    /// @throws IllegalArgumentException if it has fewer tokens
    public static void requireMask(FrozenTarget target, int maskToken) {
        int tokens = target.config().vocabularySize();
        Require.that(
                maskToken < tokens, "maskToken %d of a target with %d tokens", maskToken, tokens);
    }

    /// Returns the target's states of a batch that a head reads.
    ///
    /// @param capturedLayers beside [#FEATURE]
    public static FrozenTarget.Outputs states(
            FrozenTarget target,
            TokenRows rows,
            List<Integer> capturedLayers,
            PtNDManager manager) {
        var states = new HashSet<HiddenState>();
        states.add(FEATURE);
        capturedLayers.forEach(passed -> states.add(new HiddenState.AfterLayer(passed)));
        return target.forward(rows, states, false, manager);
    }

    /// Returns the captured states of a batch, in order.
    public static List<NDArray> captured(
            FrozenTarget.Outputs outputs, List<Integer> capturedLayers) {
        return capturedLayers.stream()
                .map(passed -> outputs.hidden(new HiddenState.AfterLayer(passed)))
                .toList();
    }

    /// Returns the target's embedding and head, and the cosines and signed sines of positions.
    ///
    /// @param shape of a table of angles; its first dimension is the number of positions
    public List<NDArray> constants(Shape shape, PtNDManager manager) {
        var constants = new ArrayList<NDArray>();
        constants.add(target.weight(Weight.EMBEDDING, 0, manager));
        constants.add(target.weight(Weight.HEAD, 0, manager));
        constants.addAll(angles(layer, shape, manager));
        return constants;
    }

    /// Returns the cosines and signed sines of positions.
    ///
    /// @param shape of a table of angles; its first dimension is the number of positions
    public static List<NDArray> angles(DecoderConfig layer, Shape shape, PtNDManager manager) {
        var angles = RopeTable.of(layer, Math.toIntExact(shape.get(0)));
        return List.of(
                manager.create(angles.headCosines(), shape),
                manager.create(angles.headSignedSines(), shape));
    }

    /// Returns a parameter that is initialised with a weight of the target.
    public Parameter copied(String name, Weight weight, long... shape) {
        try (var manager = TensorRuntime.newManager()) {
            var values = target.weight(weight, 0, manager).toFloatArray();
            return Parameter.of(name, new Parameter.Initial.Given(values), shape);
        }
    }

    /// Returns the parameters of a usual layer.
    public static List<Parameter> ordinary(DecoderConfig layer, String prefix) {
        var list = new ArrayList<Parameter>();
        list.add(norm(prefix + "input_layernorm.weight", layer.hiddenSize()));
        list.add(queryKeyValue(layer, prefix, 1));
        list.addAll(rest(layer, prefix));
        return list;
    }

    /// Returns the parameters of a layer from its attention's output on.
    public static List<Parameter> rest(DecoderConfig layer, String prefix) {
        int hidden = layer.hiddenSize();
        int inner = layer.intermediateSize();
        return List.of(
                matrix(layer.heads() * layer.headSize(), part(prefix + "self_attn.o_proj", hidden)),
                norm(prefix + "post_attention_layernorm.weight", hidden),
                matrix(
                        hidden,
                        part(prefix + "mlp.gate_proj", inner),
                        part(prefix + "mlp.up_proj", inner)),
                matrix(inner, part(prefix + "mlp.down_proj", hidden)));
    }

    /// Returns the matrix that computes queries, keys and values.
    ///
    /// @param halves width of its input in hidden sizes
    public static Parameter queryKeyValue(DecoderConfig layer, String prefix, int halves) {
        int shared = layer.keyValueHeads() * layer.headSize();
        return matrix(
                halves * layer.hiddenSize(),
                part(prefix + "self_attn.q_proj", layer.heads() * layer.headSize()),
                part(prefix + "self_attn.k_proj", shared),
                part(prefix + "self_attn.v_proj", shared));
    }

    /// Returns the deviation of weights on embeddings that gives embeddings and features the same influence: embeddings can be
    /// much smaller.
    public double embeddingDeviation() {
        return Math.max(DEVIATION, TokenScale.of(target) / Math.sqrt(layer.hiddenSize()));
    }

    /// Returns the root mean square of each captured state over random tokens.
    public List<Double> capturedSizes(List<Integer> capturedLayers) {
        var random = new SplittableRandom(seed);
        int count = Math.min(PROBE, target.config().maxPositions());
        long[] tokens = random.longs(count, 0, layer.vocabularySize()).toArray();
        try (var manager = TensorRuntime.newManager()) {
            var outputs = states(target, new TokenRows(tokens, 1), capturedLayers, manager);
            return captured(outputs, capturedLayers).stream().map(HeadParameters::size).toList();
        }
    }

    /// Returns a matrix over several concatenated states, whose initial value is near the last of them.
    ///
    /// @param deviations of the random numbers on each state
    /// @param multiple   multiple of the identity on the last state
    public Parameter identityOnLast(String name, List<Double> deviations, double multiple) {
        int hidden = layer.hiddenSize();
        int parts = deviations.size();
        var random = new SplittableRandom(seed);
        var values = new float[hidden * parts * hidden];
        for (int i = 0; i < values.length; i++) {
            int part = i % (parts * hidden) / hidden;
            values[i] = (float) (random.nextGaussian() * deviations.get(part));
        }
        for (int row = 0; row < hidden; row++) {
            values[row * parts * hidden + (parts - 1) * hidden + row] += (float) multiple;
        }
        return Parameter.of(
                name, new Parameter.Initial.Given(values), hidden, (long) parts * hidden);
    }

    /// Returns a norm of the hidden size, all ones.
    public Parameter norm(String name) {
        return norm(name, layer.hiddenSize());
    }

    /// Returns a norm, all ones.
    public static Parameter norm(String name, int size) {
        return Parameter.of(name, new Parameter.Initial.Constant(1), size);
    }

    /// Returns a parameter of zeros.
    public static Parameter zeros(String name, long... shape) {
        return Parameter.of(name, new Parameter.Initial.Constant(0), shape);
    }

    /// Returns a random matrix whose rows are stored as several tensors.
    public static Parameter matrix(int columns, Parameter.Part... parts) {
        return Parameter.matrix(columns, DEVIATION, parts);
    }

    /// Returns the rows of a matrix that are stored as one tensor.
    ///
    /// @param name without `.weight`
    public static Parameter.Part part(String name, int rows) {
        return new Parameter.Part(name + ".weight", rows);
    }

    /// Returns the root mean square.
    static double size(NDArray numbers) {
        float[] values = numbers.toFloatArray();
        double sum = 0;
        for (float value : values) {
            sum += (double) value * value;
        }
        return Math.sqrt(sum / values.length);
    }
}

package dev.outrider.drafter.eagle;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Weight;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.Parameter;
import dev.outrider.training.TokenRows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/// What is trained of draft layers, and what it begins with.
///
/// @param target whose features are read
/// @param layer  its sizes
/// @param seed   of the run
record LayerParameters(FrozenTarget target, DecoderConfig layer, long seed) {
    /// Of the entries of matrices.
    static final double DEVIATION = 0.02;

    /// Tokens on which sizes of states are measured.
    private static final int PROBE = 64;

    /// The parameters of an ordinary layer, in the order of [dev.outrider.torch.LayerScript].
    List<Parameter> ordinary(String prefix) {
        var list = new ArrayList<Parameter>();
        list.add(norm(prefix + "input_layernorm.weight"));
        list.add(queryKeyValue(prefix, 1));
        list.addAll(rest(prefix));
        return list;
    }

    /// Output, norm, gate-up and down.
    List<Parameter> rest(String prefix) {
        int hidden = layer.hiddenSize();
        int inner = layer.intermediateSize();
        return List.of(
                matrix(
                        layer.heads() * layer.headSize(),
                        new Parameter.Part(prefix + "self_attn.o_proj.weight", hidden)),
                norm(prefix + "post_attention_layernorm.weight"),
                matrix(
                        hidden,
                        new Parameter.Part(prefix + "mlp.gate_proj.weight", inner),
                        new Parameter.Part(prefix + "mlp.up_proj.weight", inner)),
                matrix(inner, new Parameter.Part(prefix + "mlp.down_proj.weight", hidden)));
    }

    Parameter queryKeyValue(String prefix, int halves) {
        int shared = layer.keyValueHeads() * layer.headSize();
        return matrix(
                halves * layer.hiddenSize(),
                new Parameter.Part(
                        prefix + "self_attn.q_proj.weight", layer.heads() * layer.headSize()),
                new Parameter.Part(prefix + "self_attn.k_proj.weight", shared),
                new Parameter.Part(prefix + "self_attn.v_proj.weight", shared));
    }

    /// EAGLE-1's matrix reads the embedding without a norm, and the entries of a feature can be ten times an embedding's.
    /// With this deviation both reach the layer at equal size; otherwise it takes thousands of steps to hear the token.
    double embeddingDeviation() {
        try (var manager = TensorRuntime.newManager()) {
            double feature = size(target.weight(Weight.FINAL_NORM, 0, manager).toFloatArray());
            double embedding = size(target.weight(Weight.EMBEDDING, 0, manager).toFloatArray());
            return Math.max(DEVIATION, feature / embedding / Math.sqrt(layer.hiddenSize()));
        }
    }

    /// Size of each captured state, on tokens drawn at random. The stream of residuals grows from layer to layer, and a
    /// new layer hardly changes a stream whose entries are ten times what it writes; divided by their sizes, the states
    /// reach it at size 1. The norm before the head takes any size. States with a norm of their own have that size already.
    ///
    /// @param capturedLayers numbers of layers that the states have passed
    List<Double> capturedSizes(List<Integer> capturedLayers) {
        var random = new SplittableRandom(seed);
        var states = new HashSet<HiddenState>();
        capturedLayers.forEach(layers -> states.add(new HiddenState.AfterLayer(layers)));
        int count = Math.min(PROBE, target.config().maxPositions());
        long[] tokens = random.longs(count, 0, layer.vocabularySize()).toArray();
        try (var manager = TensorRuntime.newManager()) {
            var outputs = target.forward(new TokenRows(tokens, 1), states, false, manager);
            return capturedLayers.stream()
                    .map(layers -> outputs.hidden(new HiddenState.AfterLayer(layers)))
                    .map(state -> size(state.toFloatArray()))
                    .toList();
        }
    }

    /// Root of the mean square. A normed state has entries of the size of the norm's weights.
    private static double size(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += (double) value * value;
        }
        return Math.sqrt(sum / values.length);
    }

    /// `[d, parts * d]`: deviates, and on the last part a multiple of the identity as well.
    ///
    /// @param deviations of the entries of each part
    /// @param multiple   of the identity
    Parameter identityOnLast(String name, List<Double> deviations, double multiple) {
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

    Parameter norm(String name) {
        return Parameter.of(name, new Parameter.Initial.Constant(1), layer.hiddenSize());
    }

    private static Parameter matrix(int columns, Parameter.Part... parts) {
        long rows = 0;
        for (var part : parts) {
            rows += part.rows();
        }
        return new Parameter(
                new long[] {rows, columns},
                List.of(parts),
                new Parameter.Initial.Normal(DEVIATION));
    }
}

package dev.outrider.nn.train;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// What is trained, in the order [DecoderProgram] reads, with the names a finished checkpoint gives its parts.
///
/// Two matrices are fused while training (q-k-v, gate-up); a finished checkpoint has them one by one.
final class DecoderParameters {
    private static final double INITIAL_DEVIATION = 0.02;

    private final List<Parameter> parameters;

    /// One array.
    ///
    /// @param shape  its sizes
    /// @param parts  the tensors of a finished checkpoint it is made of, stacked along its first dimension
    /// @param scale  of the initial values: 0 for norms, which start at one
    record Parameter(long[] shape, List<Part> parts, double scale) {
        boolean isNorm() {
            return shape.length == 1;
        }

        int size() {
            int size = 1;
            for (long dimension : shape) {
                size = Math.multiplyExact(size, Math.toIntExact(dimension));
            }
            return size;
        }
    }

    /// A tensor of a finished checkpoint.
    ///
    /// @param name its Hugging Face name
    /// @param rows its first dimension
    record Part(String name, int rows) {}

    DecoderParameters(DecoderShape shape) {
        var list = new ArrayList<Parameter>();
        int hidden = shape.hiddenSize();
        int queries = shape.heads() * shape.headDimension();
        int shared = shape.keyValueHeads() * shape.headDimension();
        // Matrices that write to the residual stream start smaller, so that its size does not grow
        // with depth (GPT-2).
        double residual = 1 / Math.sqrt(2.0 * shape.layers());
        list.add(matrix(hidden, 1, new Part("model.embed_tokens.weight", shape.vocabularySize())));
        for (int i = 0; i < shape.layers(); i++) {
            var layer = "model.layers." + i + ".";
            list.add(norm(hidden, layer + "input_layernorm.weight"));
            list.add(
                    matrix(
                            hidden,
                            1,
                            new Part(layer + "self_attn.q_proj.weight", queries),
                            new Part(layer + "self_attn.k_proj.weight", shared),
                            new Part(layer + "self_attn.v_proj.weight", shared)));
            list.add(
                    matrix(queries, residual, new Part(layer + "self_attn.o_proj.weight", hidden)));
            list.add(norm(hidden, layer + "post_attention_layernorm.weight"));
            list.add(
                    matrix(
                            hidden,
                            1,
                            new Part(layer + "mlp.gate_proj.weight", shape.feedForwardSize()),
                            new Part(layer + "mlp.up_proj.weight", shape.feedForwardSize())));
            list.add(
                    matrix(
                            shape.feedForwardSize(),
                            residual,
                            new Part(layer + "mlp.down_proj.weight", hidden)));
        }
        list.add(norm(hidden, "model.norm.weight"));
        if (!shape.tiedEmbeddings()) {
            list.add(matrix(hidden, 1, new Part("lm_head.weight", shape.vocabularySize())));
        }
        parameters = List.copyOf(list);
    }

    List<Parameter> list() {
        return parameters;
    }

    /// Random initial values, the same for the same seed.
    List<float[]> initial(long seed) {
        var random = new SplittableRandom(seed);
        var values = new ArrayList<float[]>();
        for (var parameter : parameters) {
            var array = new float[parameter.size()];
            for (int i = 0; i < array.length; i++) {
                array[i] =
                        parameter.isNorm()
                                ? 1
                                : (float)
                                        (random.nextGaussian()
                                                * INITIAL_DEVIATION
                                                * parameter.scale());
            }
            values.add(array);
        }
        return values;
    }

    /// Arrays of those values; the manager owns them.
    List<NDArray> arrays(NDManager manager, List<float[]> values) {
        var arrays = new ArrayList<NDArray>();
        for (int i = 0; i < parameters.size(); i++) {
            arrays.add(manager.create(values.get(i), new Shape(parameters.get(i).shape())));
        }
        return arrays;
    }

    /// The tensors of a finished checkpoint.
    Map<String, TensorFile.Entry> split(List<float[]> values) {
        var tensors = new LinkedHashMap<String, TensorFile.Entry>();
        for (int i = 0; i < parameters.size(); i++) {
            var parameter = parameters.get(i);
            int from = 0;
            for (var part : parameter.parts()) {
                long[] shape = parameter.shape().clone();
                shape[0] = part.rows();
                int count = parameter.size() / (int) parameter.shape()[0] * part.rows();
                var slice = new float[count];
                System.arraycopy(values.get(i), from, slice, 0, count);
                tensors.put(part.name(), new TensorFile.Entry(shape, slice));
                from += count;
            }
        }
        return tensors;
    }

    /// The values of a finished checkpoint, fused.
    List<float[]> join(TensorFile.Content tensors) {
        var values = new ArrayList<float[]>();
        for (var parameter : parameters) {
            var fused = new float[parameter.size()];
            int at = 0;
            for (var part : parameter.parts()) {
                var tensor = tensors.tensor(part.name());
                System.arraycopy(tensor.values(), 0, fused, at, tensor.values().length);
                at += tensor.values().length;
            }
            values.add(fused);
        }
        return values;
    }

    private static Parameter norm(int size, String name) {
        return new Parameter(new long[] {size}, List.of(new Part(name, size)), 0);
    }

    private static Parameter matrix(int columns, double scale, Part... parts) {
        int rows = 0;
        for (var part : parts) {
            rows += part.rows();
        }
        return new Parameter(new long[] {rows, columns}, List.of(parts), scale);
    }
}

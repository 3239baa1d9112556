package dev.outrider.drafter.block;

import dev.outrider.drafter.block.HeadForm.Markov;
import dev.outrider.drafter.block.HeadForm.Type;
import dev.outrider.drafting.head.HeadMatrices;
import dev.outrider.drafting.head.HeadTensors;
import dev.outrider.nn.network.HeadPart;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// The bias that the token before a slot adds to the slot's logits: `W2 m`, where m is computed from the token's embedding e in
/// W1, the slot's state h and, with [HeadForm.Type#RNN], a state s of rank r that starts with zeros and runs through the
/// block:
///
/// | type | m |
/// |---|---|
/// | vanilla | `e` |
/// | gated | `sigmoid(G [h; e] + b) * e` |
/// | rnn | `tanh(o)` with `[g; c; o] = J [s; e; h] + b`; the next s is `sigmoid(g) * s + (1 - sigmoid(g)) * tanh(c)` |
///
/// Thread-safe. Owns its matrices.
///
/// @see "Cheng et al. 2026 (DSpark), section 3"
///
/// @param embeddings W1, `[tokens, rank]`
/// @param projection W2, `[draftSize, rank]`; owned from now on
/// @param mixing     G or J, with its bias, if the type has one; owned from now on
record MarkovHead(
        Markov form,
        int hiddenSize,
        int draftSize,
        float[] embeddings,
        HeadPart projection,
        Optional<HeadPart> mixing)
        implements AutoCloseable {
    /// The part of a node's logits that is computed from the tokens before it, in addition to the slot's state.
    ///
    /// @param mixed `[rank]`, the vector that W2 multiplies
    /// @param state `[rank]`, the state that the next slot reads; zeros except with [HeadForm.Type#RNN]
    @SuppressWarnings("ArrayRecordComponent")
    record Part(float[] mixed, float[] state) {}

    /// Reads the tensors.
    ///
    /// @param matrices closed by the caller if this fails
    static MarkovHead read(
            HeadTensors tensors, HeadMatrices matrices, BlockLayout layout, Markov form) {
        int rank = form.rank();
        int hidden = layout.config().hiddenSize();
        int draft = layout.config().fusion().orElseThrow().headSize();
        int tokens = layout.config().vocabularySize();
        var embeddings = tensors.matrix(layout.markov("markov_w1"), tokens, rank).numbers();
        var projection = matrices.load(layout.markov("markov_w2"), draft, rank);
        var name = layout.markov(mixing(form.type()));
        var mixing =
                switch (form.type()) {
                    case VANILLA -> Optional.<HeadPart>empty();
                    case GATED -> mixing(tensors, matrices, name, rank, hidden + rank);
                    case RNN -> mixing(tensors, matrices, name, 3 * rank, 2 * rank + hidden);
                };
        return new MarkovHead(form, hidden, draft, embeddings, projection, mixing);
    }

    Type type() {
        return form.type();
    }

    int rank() {
        return form.rank();
    }

    /// Returns the number of parameters.
    long parameters() {
        long rank = form.rank();
        return embeddings.length
                + draftSize * rank
                + switch (form.type()) {
                    case VANILLA -> 0;
                    case GATED -> rank * (hiddenSize + rank + 1);
                    case RNN -> 3 * rank * (2 * rank + hiddenSize + 1);
                };
    }

    /// Copies a token's embedding.
    void embed(int token, float[] into, int at) {
        System.arraycopy(embeddings, token * rank(), into, at, rank());
    }

    /// Returns the parts of nodes of one slot.
    ///
    /// @param tokens before the slot, one a node
    /// @param states states after the slot before, one a node
    /// @param hidden the slot's state, `[hiddenSize]`
    List<Part> parts(int[] tokens, List<float[]> states, float[] hidden) {
        return switch (form.type()) {
            case VANILLA ->
                    rows(tokens.length, row -> new Part(embedding(tokens[row]), new float[rank()]));
            case GATED -> gated(tokens, hidden);
            case RNN -> recurrent(tokens, states, hidden);
        };
    }

    /// Adds the biases of parts to logits.
    ///
    /// @param logits `[parts.size(), draftSize]`
    void add(List<Part> parts, float[] logits) {
        int count = parts.size();
        var mixed = new float[count * rank()];
        for (int row = 0; row < count; row++) {
            System.arraycopy(parts.get(row).mixed(), 0, mixed, row * rank(), rank());
        }
        var bias = new float[count * draftSize];
        projection.apply(mixed, count, bias);
        for (int index = 0; index < bias.length; index++) {
            logits[index] += bias[index];
        }
    }

    @Override
    public void close() {
        projection.close();
        mixing.ifPresent(HeadPart::close);
    }

    private List<Part> gated(int[] tokens, float[] hidden) {
        int width = hiddenSize + rank();
        var inputs = new float[tokens.length * width];
        for (int row = 0; row < tokens.length; row++) {
            System.arraycopy(hidden, 0, inputs, row * width, hiddenSize);
            embed(tokens[row], inputs, row * width + hiddenSize);
        }
        var gates = new float[tokens.length * rank()];
        mixing.orElseThrow().apply(inputs, tokens.length, gates);
        return rows(
                tokens.length,
                row -> {
                    var mixed = embedding(tokens[row]);
                    for (int index = 0; index < rank(); index++) {
                        mixed[index] *= sigmoid(gates[row * rank() + index]);
                    }
                    return new Part(mixed, new float[rank()]);
                });
    }

    private List<Part> recurrent(int[] tokens, List<float[]> states, float[] hidden) {
        int width = 2 * rank() + hiddenSize;
        var inputs = new float[tokens.length * width];
        for (int row = 0; row < tokens.length; row++) {
            System.arraycopy(states.get(row), 0, inputs, row * width, rank());
            embed(tokens[row], inputs, row * width + rank());
            System.arraycopy(hidden, 0, inputs, row * width + 2 * rank(), hiddenSize);
        }
        var made = new float[tokens.length * 3 * rank()];
        mixing.orElseThrow().apply(inputs, tokens.length, made);
        return rows(
                tokens.length,
                row -> {
                    var mixed = new float[rank()];
                    var next = new float[rank()];
                    for (int index = 0; index < rank(); index++) {
                        int at = row * 3 * rank() + index;
                        float gate = sigmoid(made[at]);
                        float candidate = (float) StrictMath.tanh(made[at + rank()]);
                        next[index] = gate * states.get(row)[index] + (1 - gate) * candidate;
                        mixed[index] = (float) StrictMath.tanh(made[at + 2 * rank()]);
                    }
                    return new Part(mixed, next);
                });
    }

    private float[] embedding(int token) {
        var copy = new float[rank()];
        embed(token, copy, 0);
        return copy;
    }

    private static List<Part> rows(int count, IntFunction<Part> part) {
        return IntStream.range(0, count).mapToObj(part).toList();
    }

    private static Optional<HeadPart> mixing(
            HeadTensors tensors, HeadMatrices matrices, String name, int outputs, int columns) {
        tensors.requireBiased(name, outputs, columns);
        return Optional.of(matrices.load(name, outputs, columns));
    }

    /// Returns the name of the matrix that combines token and state; empty if the type has none.
    static String mixing(Type type) {
        return switch (type) {
            case VANILLA -> "";
            case GATED -> "gate_proj";
            case RNN -> "joint_proj";
        };
    }

    static float sigmoid(double x) {
        return (float) (1 / (1 + StrictMath.exp(-x)));
    }
}

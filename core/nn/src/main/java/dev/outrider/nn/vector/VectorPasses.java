package dev.outrider.nn.vector;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// The pass of a decoder and of a draft layer. A row's results do not depend on the other rows of the pass, to the last bit.
///
/// Shapes: n rows of the pass, d hidden size, H query heads, K key-value heads, h head size.
///
/// @see "Touvron et al. 2023 (LLaMA); Ainslie et al. 2023 (GQA); Su et al. 2021 (RoPE)"
final class VectorPasses implements AutoCloseable {
    private final DecoderConfig config;
    private final Precision precision;
    private final Arena arena;
    private final ReentrantLock lock = new ReentrantLock();
    private final Workspace workspace;
    private final Matrix embedding;
    private final Linear head;
    private final List<Layer> layers;
    private final Optional<float[]> finalNorm;
    private final Optional<Fusion> fusion;
    private final RopeTable rope;
    private final ResultPool results = new ResultPool();
    private boolean closed;

    private VectorPasses(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            Optional<VectorPasses> lender,
            Arena arena) {
        this.arena = arena;
        this.config = config;
        this.precision = precision;
        workspace = new Workspace();
        var weights = new Weights(config, source, precision, arena);
        boolean tied = config.fusion().isEmpty() && config.tiedHead();
        boolean shared = tied && precision != Precision.W8A8;
        embedding =
                (shared ? weights.matrix(Weight.EMBEDDING) : weights.table(Weight.EMBEDDING))
                        .orElseGet(() -> lender.orElseThrow().embedding);
        head =
                weights.matrix(Weight.HEAD)
                        .map(matrix -> new Linear(matrix, Optional.empty()))
                        .orElseGet(
                                () -> tied ? tiedHead(weights, shared) : lender.orElseThrow().head);
        layers = weights.layers();
        finalNorm = weights.vector(Weight.FINAL_NORM, 0);
        fusion = config.fusion().map(_ -> new Fusion(config, weights));
        rope = RopeTable.of(config, config.maxPositions());
    }

    private Linear tiedHead(Weights weights, boolean shared) {
        return new Linear(
                shared ? embedding : weights.matrix(Weight.EMBEDDING).orElseThrow(),
                Optional.empty());
    }

    /// Loads all weights.
    ///
    /// @param lender whose embedding and head a draft layer reads that has none
    static VectorPasses of(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            Optional<VectorPasses> lender) {
        return Panels.owned(arena -> new VectorPasses(config, source, precision, lender, arena));
    }

    DecoderConfig config() {
        return config;
    }

    Precision precision() {
        return precision;
    }

    VectorCache newCache(int rows) {
        return VectorCache.of(config, rows);
    }

    PassResult forward(PassPlan plan, PassOutputs outputs, Optional<FeatureRows> features) {
        lock.lock();
        try {
            requireOpen();
            workspace.enter();
            try {
                return run(plan, outputs, features);
            } finally {
                workspace.leave();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Logits of states that have passed the final norm.
    void head(float[] states, int rows, float[] logits) {
        lock.lock();
        try {
            requireOpen();
            workspace.project(head, states, rows, logits);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the network is closed");
        }
    }

    /// An embedding, as it is kept.
    void embed(int token, float[] into, int at) {
        embedding.read(token, into, at);
    }

    /// A row of the head, as it is kept.
    void head(int output, float[] into, int at) {
        head.matrix().read(output, into, at);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                results.close();
                arena.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private PassResult run(PassPlan plan, PassOutputs outputs, Optional<FeatureRows> features) {
        for (var block : plan.blocks()) {
            ((VectorCache) block.cache()).rows().append(block.positions());
        }
        var result = results.take(plan, outputs, config);
        boolean whole = false;
        try {
            run(plan, features, result);
            whole = true;
            return result;
        } finally {
            if (!whole) {
                result.close();
            }
        }
    }

    private void run(PassPlan plan, Optional<FeatureRows> features, VectorPassResult result) {
        int rows = plan.rows();
        var stream = workspace.stream;
        embed(plan, features.isPresent() ? workspace.tokens : stream);
        features.ifPresent(given ->
                fusion.orElseThrow().fuse(rows, workspace.tokens, given, stream, workspace));
        result.keep(new HiddenState.AfterLayer(0), stream, rows);
        for (int layer = 0; layer < config.layers(); layer++) {
            layer(layer, plan);
            result.keep(new HiddenState.AfterLayer(layer + 1), stream, rows);
        }
        var last = finalNorm.map(norm -> normed(stream, norm, rows)).orElse(stream);
        result.keep(new HiddenState.AfterFinalNorm(), last, rows);
        logits(plan, last, result);
    }

    private void embed(PassPlan plan, Rows to) {
        int size = config.hiddenSize();
        boolean masked = fusion.isPresent() && fusion.get().config().maskFirstPosition();
        to.shape(plan.rows(), Lanes.roundedUp(size, Lanes.PANEL));
        for (int row = 0; row < plan.rows(); row++) {
            embedding.read(plan.tokens()[row], to.numbers(), to.at(row));
            if (masked && plan.positions()[row] == 0) {
                Arrays.fill(to.numbers(), to.at(row), to.at(row) + size, 0);
            }
        }
    }

    private Rows normed(Rows x, float[] weight, int rows) {
        var y = workspace.normed;
        y.shape(rows, config.hiddenSize());
        for (int row = 0; row < rows; row++) {
            norm(x, row, weight, y, 0);
        }
        return y;
    }

    private void norm(Rows x, int row, float[] weight, Rows y, int at) {
        VectorMath.rmsNorm(
                x.numbers(),
                x.at(row),
                config.hiddenSize(),
                weight,
                0,
                config.normEpsilon(),
                y.numbers(),
                y.at(row) + at);
    }

    private void layer(int number, PassPlan plan) {
        var layer = layers.get(number);
        int rows = plan.rows();
        int size = config.hiddenSize();
        var stream = workspace.stream;
        boolean wide = fusion.isPresent() && fusion.get().config().wide(number);
        if (wide) {
            wide(layer, number, rows);
        } else {
            var read = layer.inputNorm().map(norm -> normed(stream, norm, rows)).orElse(stream);
            workspace.input.take(read.numbers(), 0, read.stride(), rows, size);
        }
        layer.queryKeyValue().apply(workspace.input, rows, workspace.asked, workspace);
        attend(layer, number, plan);
        int width = config.heads() * config.headSize();
        project(layer.output(), workspace.attended, width, rows);

        var normed = normed(stream, layer.feedForwardNorm(), rows);
        workspace.input.take(normed.numbers(), 0, normed.stride(), rows, size);
        layer.gateUp().apply(workspace.input, rows, workspace.inner, workspace);
        var inner = workspace.inner;
        int opened = config.intermediateSize();
        for (int row = 0; row < rows; row++) {
            VectorMath.gated(inner.numbers(), inner.at(row), inner.at(row) + opened, opened);
        }
        project(layer.down(), inner, opened, rows);
    }

    /// Attention reads embedding and stream, each after a norm.
    private void wide(Layer layer, int number, int rows) {
        int size = config.hiddenSize();
        var both = workspace.normed;
        both.shape(rows, 2 * size);
        var stream = workspace.stream;
        boolean replaced = number == 0 && fusion.orElseThrow().config().normedResidual();
        for (int row = 0; row < rows; row++) {
            norm(workspace.tokens, row, layer.inputNorm().orElseThrow(), both, 0);
            norm(stream, row, layer.streamNorm().orElseThrow(), both, size);
            if (replaced) {
                System.arraycopy(
                        both.numbers(),
                        both.at(row) + size,
                        stream.numbers(),
                        stream.at(row),
                        size);
            }
        }
        workspace.input.take(both.numbers(), 0, both.stride(), rows, 2 * size);
    }

    /// Adds a projection of rows to the stream.
    private void project(Linear linear, Rows x, int width, int rows) {
        workspace.input.take(x.numbers(), 0, x.stride(), rows, width);
        linear.apply(workspace.input, rows, workspace.projected, workspace);
        for (int row = 0; row < rows; row++) {
            VectorMath.add(
                    workspace.stream.numbers(),
                    workspace.stream.at(row),
                    workspace.projected.numbers(),
                    workspace.projected.at(row),
                    config.hiddenSize());
        }
    }

    private void attend(Layer layer, int number, PassPlan plan) {
        int heads = config.keyValueHeads();
        int width = config.heads() * config.headSize();
        workspace.attended.shape(plan.rows(), width);
        var asked = new Queries(config, rope, layer, gated());
        workspace
                .team()
                .run(
                        plan.blocks().size() * heads,
                        (worker, from, end) -> {
                            for (int part = from; part < end; part++) {
                                int index = part / heads;
                                var block = plan.blocks().get(index);
                                int start = plan.starts()[index];
                                int count = block.tokens().length;
                                int first = block.cache().used() - count;
                                int head = part % heads;
                                asked.prepare(workspace.asked, start, block, first, number, head);
                                new Attention(config, number, block, first)
                                        .attend(
                                                workspace.asked,
                                                asked.width(),
                                                start,
                                                head,
                                                workspace.attended,
                                                workspace.attention(worker));
                            }
                        });
        if (gated()) {
            asked.open(workspace.asked, workspace.attended, plan.rows());
        }
    }

    private boolean gated() {
        return config.fusion().filter(FusionConfig::gatedQueries).isPresent();
    }

    private void logits(PassPlan plan, Rows last, VectorPassResult result) {
        int count = result.logitRows();
        if (count == 0) {
            return;
        }
        workspace.input.shape(last.numbers(), count, config.hiddenSize());
        for (int row = 0; row < plan.rows(); row++) {
            if (plan.logitRow()[row] >= 0) {
                workspace.input.put(plan.logitRow()[row], last.at(row));
            }
        }
        head.apply(workspace.input, count, workspace.logits, workspace);
        result.keepLogits(workspace.logits);
    }
}

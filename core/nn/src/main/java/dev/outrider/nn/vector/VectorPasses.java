package dev.outrider.nn.vector;

import dev.outrider.common.Require;
import dev.outrider.common.Undo;
import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.FusionConfig.Switch;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.Part;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassPlan;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RopeTable;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.Attention.BlockMask;
import dev.outrider.nn.vector.Fusion.Context;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.nn.vector.PositionTable.RelativeBias;
import dev.outrider.nn.vector.VectorPassResult.ResultPool;
import dev.outrider.spi.target.HiddenState.AfterFinalNorm;
import dev.outrider.spi.target.HiddenState.AfterLayer;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The pass of a decoder and of a draft layer. A row's results do not depend on the other rows of the pass, to the last bit.
///
/// Shapes: n rows of the pass, d hidden size, H query heads, K key-value heads, h head size.
///
/// @see "Touvron et al. 2023 (LLaMA); Ainslie et al. 2023 (GQA); Su et al. 2021 (RoPE)"
final class VectorPasses implements AutoCloseable {
    private static final RopeTable UNROTATED = new RopeTable(new float[0], new float[0], 0);

    private final DecoderConfig config;
    private final Precision precision;
    private final RowPrecision rowPrecision;
    private final boolean roundsRows;
    private final Arena arena;
    private final ReentrantLock lock = new ReentrantLock();
    private final Workspace workspace;
    private final Matrix embedding;
    private final Linear head;
    private final List<Layer> layers;
    private final Optional<Norm> startNorm;
    private final Optional<Norm> finalNorm;
    private final Optional<Fusion> fusion;
    private final Optional<Context> context;
    private final Optional<PositionTable> positions;
    private final Optional<RelativeBias> bias;
    private final RopeTable rope;
    private final RopeTable localRope;
    private final ResultPool results = new ResultPool();
    private volatile CachePrecision caches = CachePrecision.F32;
    private boolean closed;

    private VectorPasses(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            RowPrecision rows,
            Optional<VectorPasses> lender,
            Arena arena) {
        PanelFormat.F32.rehearse();
        this.arena = arena;
        this.config = config;
        this.precision = precision;
        rowPrecision = rows;
        workspace = new Workspace();
        var weights = new Weights(config, source, precision, rows, arena);
        boolean decodes = config.fusion().isEmpty() && config.part() != Part.ENCODER;
        boolean tied = decodes && config.tiedHead();
        boolean shared = tied && precision != Precision.W8A8;
        embedding =
                (shared ? weights.matrix(Weight.EMBEDDING) : weights.table(Weight.EMBEDDING))
                        .orElseGet(() -> lender.orElseThrow().embedding);
        var headBias = weights.vector(Weight.HEAD_BIAS, 0);
        head =
                weights.matrix(Weight.HEAD)
                        .or(() -> tied ? Optional.of(tiedHead(weights, shared)) : Optional.empty())
                        .map(matrix -> new Linear(matrix, headBias))
                        .orElseGet(() -> lender.orElseThrow().head);
        layers = weights.layers();
        startNorm = weights.norm(Weight.START_NORM, Weight.START_NORM_BIAS, 0);
        finalNorm = weights.norm(Weight.FINAL_NORM, Weight.FINAL_NORM_BIAS, 0);
        fusion = config.fusion().map(_ -> new Fusion(config, weights));
        context =
                fusion.filter(each -> each.config().join() == FusionConfig.Join.CONTEXT)
                        .map(each -> new Context(config, each, weights));
        positions = PositionTable.of(config, weights);
        bias = weights.relativeBias();
        rope = config.form().rotary() ? RopeTable.of(config, config.maxPositions()) : UNROTATED;
        localRope =
                config.localRopeTheta().isPresent()
                        ? RopeTable.ofLocal(config, config.maxPositions())
                        : rope;
        roundsRows = weights.rounding().get();
    }

    private Matrix tiedHead(Weights weights, boolean shared) {
        return shared ? embedding : weights.matrix(Weight.EMBEDDING).orElseThrow();
    }

    /// Loads all weights.
    ///
    /// @param lender network whose embedding and head a draft layer without them, or an encoder, uses
    static VectorPasses of(
            DecoderConfig config,
            WeightSource source,
            Precision precision,
            RowPrecision rows,
            Optional<VectorPasses> lender) {
        return Panels.owned(
                arena -> new VectorPasses(config, source, precision, rows, lender, arena));
    }

    DecoderConfig config() {
        return config;
    }

    Precision precision() {
        return precision;
    }

    RowPrecision rowPrecision() {
        return rowPrecision;
    }

    /// Returns whether some of its own matrices of integers multiply rows that are rounded to eight bits.
    boolean roundsRows() {
        return roundsRows;
    }

    VectorCache newCache(int rows) {
        return VectorCache.of(config, rows, PanelFormat.of(caches));
    }

    /// Sets the format of new caches.
    void keepCachesIn(CachePrecision precision) {
        PanelFormat.of(precision).rehearse();
        caches = precision;
    }

    /// Returns the label of rounded caches in reports; empty if caches are not rounded.
    String cacheLabel() {
        return caches == CachePrecision.F32
                ? ""
                : ", %s cache".formatted(caches.name().toLowerCase(Locale.ROOT));
    }

    PassResult forward(PassPlan plan, PassOutputs outputs, Optional<FeatureRows> features) {
        var whole = LayerRange.from(0, config.layers());
        return pass(plan, outputs, result -> append(plan, features, whole, result));
    }

    /// Returns states of some rows after the final norm, `[rows, hiddenSize]`.
    float[] states(RowBlock block) {
        var last = new AfterFinalNorm();
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(last));
        var plan = PassPlan.of(List.of(block), outputs, config);
        int size = config.hiddenSize();
        var states = new float[Math.multiplyExact(plan.rows(), size)];
        try (var result = forward(plan, outputs, Optional.empty())) {
            for (int row = 0; row < plan.rows(); row++) {
                var state = result.hidden(last, row);
                MemorySegment.copy(state, ValueLayout.JAVA_FLOAT, 0, states, row * size, size);
            }
        }
        return states;
    }

    /// Runs a pass with some of the layers.
    PassResult forward(PassPlan plan, PassOutputs outputs, LayerSubset layers) {
        var course = LayerRange.of(layers, config.layers());
        return pass(plan, outputs, result -> append(plan, Optional.empty(), course, result));
    }

    /// Runs a pass with all layers from a given one on.
    ///
    /// @param plan plan of rows that are already in their caches
    /// @param rows for each row, its row in an earlier pass, which has its state before that layer
    PassResult resume(PassPlan plan, PassOutputs outputs, int layer, List<PassRow> rows) {
        var course = LayerRange.from(layer, config.layers());
        return pass(plan, outputs, result -> resume(plan, course, rows, result));
    }

    private PassResult pass(PassPlan plan, PassOutputs outputs, Consumer<VectorPassResult> body) {
        return locked(() -> run(plan, outputs, body));
    }

    /// Runs code with the threads of a pass, while no other pass runs.
    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            requireOpen();
            workspace.enter();
            try {
                return body.get();
            } finally {
                workspace.leave();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Appends features to a cache as committed rows.
    ///
    /// @param positions positions of the features
    void keep(KvCache cache, FeatureRows features, int... positions) {
        locked(() -> {
            var own = (VectorCache) cache;
            int first = own.used();
            own.append(positions);
            boolean whole = false;
            try {
                context.orElseThrow()
                        .keep(features, positions, own, first, layers, this::rope, workspace);
                whole = true;
            } finally {
                if (!whole) {
                    own.dropScratch();
                }
            }
            own.keep(IntStream.range(0, positions.length).boxed().toList());
            return own;
        });
    }

    /// Computes the logits of states after the final norm.
    void head(float[] states, int rows, float[] logits) {
        lock.lock();
        try {
            requireOpen();
            workspace.project(head, scaled(states), rows, logits);
        } finally {
            lock.unlock();
        }
    }

    private float[] scaled(float[] states) {
        if (config.form().scales().head() == 1) {
            return states;
        }
        var scaled = states.clone();
        VectorMath.scale(scaled, 0, scaled.length, (float) config.form().scales().head());
        return scaled;
    }

    /// Returns a cache whose rows attend to a source.
    ///
    /// @param states the encoder's states of the source, `[length, hiddenSize]`
    VectorCache newCache(int rows, float[] states, int length) {
        return locked(() -> {
            var format = PanelFormat.of(caches);
            var source =
                    new CrossAttention(config, workspace)
                            .keysAndValues(layers, states, length, format);
            return Undo.onFailure(
                    source::close, () -> VectorCache.of(config, rows, format, Optional.of(source)));
        });
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the network is closed");
        }
    }

    /// Copies an embedding, in its stored values.
    void embed(int token, float[] into, int at) {
        embedding.read(token, into, at);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                arena.close(); // refused while a pass of a draft layer reads it
                closed = true;
                results.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private PassResult run(PassPlan plan, PassOutputs outputs, Consumer<VectorPassResult> body) {
        var result = results.take(plan, outputs, config);
        return Undo.onFailure(
                result::close,
                () -> {
                    workspace.routing.begin();
                    body.accept(result);
                    return result;
                });
    }

    /// Appends rows to their caches and runs them from the tokens on.
    private void append(
            PassPlan plan,
            Optional<FeatureRows> features,
            LayerRange course,
            VectorPassResult result) {
        for (var block : plan.blocks()) {
            ((VectorCache) block.cache()).append(block.positions());
        }
        int rows = plan.rows();
        var stream = workspace.stream;
        embed(plan, features.isPresent() ? workspace.tokens : stream);
        startNorm.ifPresent(norm -> inPlace(norm, rows));
        features.ifPresent(given ->
                fusion.orElseThrow().fuse(rows, workspace.tokens, given, stream, workspace));
        result.keep(new AfterLayer(0), stream, rows);
        run(plan, course, result);
    }

    /// Runs rows from a layer on, up to which earlier passes ran them.
    private void resume(
            PassPlan plan, LayerRange course, List<PassRow> earlier, VectorPassResult result) {
        int size = config.hiddenSize();
        var stream = workspace.stream;
        stream.shape(plan.rows(), Lanes.roundedUp(size, Lanes.PANEL));
        var before = new AfterLayer(course.from());
        for (int row = 0; row < plan.rows(); row++) {
            var from = earlier.get(row);
            var state = from.pass().hidden(before, from.row());
            MemorySegment.copy(
                    state, ValueLayout.JAVA_FLOAT, 0, stream.numbers(), stream.at(row), size);
            result.keepBelow(course.from(), from, row);
        }
        result.keep(before, stream, plan.rows());
        run(plan, course, result);
    }

    private void run(PassPlan plan, LayerRange course, VectorPassResult result) {
        int rows = plan.rows();
        var stream = workspace.stream;
        for (int layer = course.from(); layer < course.to(); layer++) {
            layer(layer, plan, course);
            result.keep(new AfterLayer(layer + 1), stream, rows);
        }
        workspace.routing.activeExperts().ifPresent(result::keepActiveExperts);
        var last = finalNorm.map(norm -> normed(stream, norm, rows)).orElse(stream);
        result.keep(new AfterFinalNorm(), last, rows);
        logits(plan, last, result);
    }

    private void embed(PassPlan plan, Rows to) {
        int size = config.hiddenSize();
        boolean masked =
                fusion.isPresent() && fusion.get().config().has(Switch.MASK_FIRST_POSITION);
        to.shape(plan.rows(), Lanes.roundedUp(size, Lanes.PANEL));
        for (int row = 0; row < plan.rows(); row++) {
            embedding.read(plan.tokens()[row], to.numbers(), to.at(row));
            place(plan.positions()[row], to, row);
            if (masked && plan.positions()[row] == 0) {
                Arrays.fill(to.numbers(), to.at(row), to.at(row) + size, 0);
            }
        }
    }

    private void place(int position, Rows to, int row) {
        double scale = config.form().scales().embedding();
        if (scale != 1) {
            to.scale(row, config.hiddenSize(), (float) scale);
        }
        positions.ifPresent(table -> table.add(position, to.numbers(), to.at(row)));
    }

    private Rows normed(Rows x, Norm norm, int rows) {
        var y = workspace.normed;
        y.shape(rows, config.hiddenSize());
        workspace.share(rows, row -> norm(x, row, norm, y, 0));
        return y;
    }

    private void norm(Rows x, int row, Norm norm, Rows y, int at) {
        norm.apply(x.numbers(), x.at(row), config.hiddenSize(), y.numbers(), y.at(row) + at);
    }

    private void inPlace(Norm norm, int rows) {
        for (int row = 0; row < rows; row++) {
            norm.apply(workspace.stream, row, config.hiddenSize());
        }
    }

    /// Sets a block's input: the stream, normed if the block's norm comes first.
    private void read(Rows stream, Optional<Norm> norm, int rows) {
        var read =
                norm.filter(_ -> config.form().norms().place().reads())
                        .map(each -> normed(stream, each, rows))
                        .orElse(stream);
        workspace.input.take(read.numbers(), 0, read.stride(), rows, config.hiddenSize());
    }

    /// Adds a block's result to the stream.
    ///
    /// @param norm   norm of the block, applied to the sum if it comes last
    /// @param result norm of the result
    private void write(
            Linear linear,
            Rows made,
            int width,
            Optional<Norm> norm,
            Optional<Norm> result,
            int rows) {
        workspace.input.take(made.numbers(), 0, made.stride(), rows, width);
        linear.apply(workspace.input, rows, workspace.projected, workspace);
        add(norm, result, rows);
    }

    /// Adds the projected rows to the stream.
    private void add(Optional<Norm> norm, Optional<Norm> result, int rows) {
        var projected = workspace.projected;
        int size = config.hiddenSize();
        float scale = (float) config.form().scales().residual();
        workspace.share(
                rows,
                row -> {
                    if (result.isPresent()) {
                        result.get().apply(projected, row, size);
                    }
                    if (scale != 1) {
                        projected.scale(row, size, scale);
                    }
                    workspace.stream.add(row, projected, row, size);
                });
        norm.filter(_ -> config.form().norms().place() == BlockForm.NormPlace.AFTER)
                .ifPresent(each -> inPlace(each, rows));
    }

    private void layer(int number, PassPlan plan, LayerRange course) {
        var layer = layers.get(number);
        // The input of the feed-forward part: the stream, unless attention and feed-forward part
        // both read the stream before either adds to it.
        var before = workspace.stream;
        if (course.attends(number)) {
            before = attend(layer, number, plan);
        }
        if (course.feeds(number)) {
            feed(layer, before, plan.rows());
        }
    }

    /// @return the input of the feed-forward part
    private Rows attend(Layer layer, int number, PassPlan plan) {
        int rows = plan.rows();
        var stream = workspace.stream;
        if (fusion.isPresent() && fusion.get().config().wide(number)) {
            wide(layer, number, rows);
        } else {
            read(stream, layer.inputNorm(), rows);
        }
        layer.queryKeyValue().apply(workspace.input, rows, workspace.queries, workspace);
        attention(layer, number, plan);
        int width = config.heads() * config.headSize();
        var before = config.form().parallel() ? kept(stream, rows) : stream;
        write(
                layer.output(),
                workspace.attended,
                width,
                layer.inputNorm(),
                layer.outputNorm(),
                rows);
        layer.cross()
                .ifPresent(cross -> {
                    var norm = Optional.of(cross.norm());
                    read(stream, norm, rows);
                    new CrossAttention(config, workspace).attend(cross, number, plan);
                    write(cross.output(), workspace.attended, width, norm, Optional.empty(), rows);
                });
        return before;
    }

    private void feed(Layer layer, Rows before, int rows) {
        var norm = layer.feedForwardNorm();
        read(before, norm, rows);
        var input = workspace.input;
        layer.feedForward()
                .ifPresent(each -> each.apply(input, input, rows, config.form(), workspace));
        layer.mixture().ifPresent(each -> each.apply(rows, workspace));
        add(norm, layer.downNorm(), rows);
    }

    /// Returns a copy of the stream, for a block that reads the stream before another block's result is added.
    private Rows kept(Rows stream, int rows) {
        var kept = workspace.tokens;
        kept.shape(rows, stream.stride());
        System.arraycopy(stream.numbers(), 0, kept.numbers(), 0, rows * stream.stride());
        return kept;
    }

    /// Sets the input of attention that reads embedding and stream, each after a norm.
    private void wide(Layer layer, int number, int rows) {
        int size = config.hiddenSize();
        var both = workspace.normed;
        both.shape(rows, 2 * size);
        var stream = workspace.stream;
        boolean replaced = number == 0 && fusion.orElseThrow().config().has(Switch.NORMED_RESIDUAL);
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

    private void attention(Layer layer, int number, PassPlan plan) {
        int heads = config.keyValueHeads();
        int width = config.heads() * config.headSize();
        workspace.attended.shape(plan.rows(), width);
        var queries = new Queries(config, rope(number), layer, gated());
        queries.normalise(workspace.queries, plan.rows());
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
                                queries.prepare(
                                        workspace.queries, start, block, first, number, head);
                                var sight =
                                        new BlockMask(
                                                seen(block, number),
                                                first,
                                                config.window(number),
                                                bias);
                                var cache = (VectorCache) block.cache();
                                new Attention(config, number, cache, count, sight, layer.sinks())
                                        .attend(
                                                workspace.queries,
                                                queries.width(),
                                                start,
                                                head,
                                                workspace.attended,
                                                workspace.attention(worker));
                            }
                        });
        if (gated()) {
            queries.open(workspace.queries, workspace.attended, plan.rows());
        }
    }

    /// Returns a block with the mask of a layer: in a layer with a window, rows of a block with a context may see only earlier
    /// rows.
    private RowBlock seen(RowBlock block, int layer) {
        boolean onlyBefore =
                context.isPresent()
                        && config.window(layer).isPresent()
                        && !fusion.orElseThrow().config().has(Switch.MUTUAL_WINDOWS);
        return onlyBefore
                ? new RowBlock(
                        block.cache(), block.tokens(), block.positions(), new RowMask.Causal())
                : block;
    }

    private RopeTable rope(int layer) {
        return switch (config.kind(layer)) {
            case GLOBAL -> rope;
            case LOCAL -> localRope;
            case UNROTATED -> UNROTATED;
        };
    }

    private boolean gated() {
        return config.fusion().filter(each -> each.has(Switch.GATED_QUERIES)).isPresent();
    }

    private void logits(PassPlan plan, Rows last, VectorPassResult result) {
        int count = result.logitRows();
        if (count == 0) {
            return;
        }
        workspace.input.shape(last.numbers(), count, config.hiddenSize());
        float scale = (float) config.form().scales().head();
        for (int row = 0; row < plan.rows(); row++) {
            if (plan.logitRow()[row] >= 0) {
                if (scale != 1) {
                    last.scale(row, config.hiddenSize(), scale);
                }
                workspace.input.put(plan.logitRow()[row], last.at(row));
            }
        }
        head.apply(workspace.input, count, workspace.logits, workspace);
        cap(count);
        result.keepLogits(workspace.logits);
    }

    private void cap(int rows) {
        var logits = workspace.logits;
        config.form()
                .scales()
                .logitCap()
                .ifPresent(cap -> {
                    for (int row = 0; row < rows; row++) {
                        VectorMath.cap(
                                logits.numbers(),
                                logits.at(row),
                                config.vocabularySize(),
                                (float) cap);
                    }
                });
    }

    /// The layers of a pass: consecutive layers, possibly without some of their sub-layers.
    ///
    /// @param from        first layer
    /// @param to          the layer after the last one
    /// @param attention   layers whose attention is skipped
    /// @param feedForward layers whose feed-forward part is skipped
    record LayerRange(int from, int to, Set<Integer> attention, Set<Integer> feedForward) {
        /// Returns all layers from a given one on.
        static LayerRange from(int layer, int layers) {
            requireLayer(layer, layers + 1);
            return new LayerRange(layer, layers, Set.of(), Set.of());
        }

        /// Returns the layers of a subset.
        ///
        /// @throws IllegalArgumentException if the network does not have these layers
        static LayerRange of(LayerSubset subset, int layers) {
            return switch (subset) {
                case LayerSubset.First(int first) -> {
                    requireLayer(first, layers + 1);
                    yield new LayerRange(0, first, Set.of(), Set.of());
                }
                case LayerSubset.Without(var attention, var feedForward) -> {
                    attention.forEach(layer -> requireLayer(layer, layers));
                    feedForward.forEach(layer -> requireLayer(layer, layers));
                    yield new LayerRange(0, layers, attention, feedForward);
                }
            };
        }

        boolean attends(int layer) {
            return !attention.contains(layer);
        }

        boolean feeds(int layer) {
            return !feedForward.contains(layer);
        }

        private static void requireLayer(int layer, int bound) {
            Require.that(
                    layer >= 0 && layer < bound,
                    "layer %d is not between 0 and %d",
                    layer,
                    bound - 1);
        }
    }
}

package dev.outrider.nn.network;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDScope;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/// A decoder written for reading: 32-bit floats, one array operation per formula. The fast network is compared
/// with this one.
///
/// Shapes: n rows of the pass, d hidden size, H query heads, K key-value heads, h head size, T cache rows.
///
/// @see "Touvron et al. 2023 (LLaMA); Ainslie et al. 2023 (GQA); Su et al. 2021 (RoPE)"
public final class ReferenceNetwork implements DecoderNetwork, SharedWeights {
    private final DecoderConfig config;
    private final PtNDManager manager = TensorRuntime.newManager();
    private final ReentrantLock lock = new ReentrantLock();
    private final NDArray embedding;
    private final NDArray head;
    private final Map<Weight, NDArray> outer;
    private final List<Map<Weight, NDArray>> layers;
    private final NDArray cosines;
    private final NDArray sines;

    /// Loads all weights.
    public ReferenceNetwork(DecoderConfig config, WeightSource source) {
        this(config, source, Optional.empty());
        if (config.fusion().isPresent()) {
            throw new IllegalArgumentException(
                    "a draft layer takes features: use ReferenceFeatureNetwork");
        }
    }

    ReferenceNetwork(DecoderConfig config, WeightSource source, Optional<BorrowedWeights> lender) {
        this.config = config;
        TensorThread.enterInference();
        outer = loadAll(source, 0, false);
        var kind = new LinearKind(ElementType.F32, false, false);
        embedding =
                Weight.EMBEDDING.present(config)
                        ? weight(outer, Weight.EMBEDDING)
                        : lender.orElseThrow().embedding(kind, manager).array();
        if (Weight.HEAD.present(config)) {
            head = weight(outer, Weight.HEAD);
        } else {
            head =
                    config.fusion().isPresent()
                            ? lender.orElseThrow().head(kind, manager).array()
                            : embedding;
        }
        layers =
                IntStream.range(0, config.layers())
                        .mapToObj(layer -> loadAll(source, layer, true))
                        .toList();
        var rope = RopeTable.of(config, config.maxPositions());
        var shape = new Shape(config.maxPositions(), 1, rope.half());
        cosines = manager.create(rope.cos(), shape);
        sines = manager.create(rope.sin(), shape);
    }

    /// Its architecture.
    public DecoderConfig config() {
        return config;
    }

    @Override
    public ReferenceCache newCache(int rows) {
        return new ReferenceCache(config, rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        return forward(PassPlan.of(blocks, outputs, config), outputs, Optional.empty());
    }

    PassResult forward(PassPlan plan, PassOutputs outputs, Optional<FeatureRows> features) {
        lock.lock();
        try {
            TensorThread.enterInference();
            try (var scope = new NDScope()) {
                scope.suppressNotUsedWarning();
                return run(plan, outputs, features);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int hiddenSize() {
        return config.hiddenSize();
    }

    @Override
    public int vocabularySize() {
        return config.vocabularySize();
    }

    @Override
    public Tensor embed(int[] tokens, PtNDManager owner) {
        TensorThread.enterInference();
        try (var scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            return kept(embedding.get(manager.create(tokens)), owner);
        }
    }

    @Override
    public Tensor head(Tensor hidden, PtNDManager owner) {
        TensorThread.enterInference();
        try (var scope = new NDScope()) {
            scope.suppressNotUsedWarning();
            return kept(hidden.array().matMul(head.transpose()), owner);
        }
    }

    @Override
    public void close() {
        manager.close();
    }

    private PassResult run(PassPlan plan, PassOutputs outputs, Optional<FeatureRows> features) {
        var states = new HashMap<HiddenState, NDArray>();
        var positions = manager.create(plan.positions());
        var cos = cosines.get(positions);
        var sin = sines.get(positions);
        var caches = plan.blocks().stream().map(block -> (ReferenceCache) block.cache()).toList();
        for (int block = 0; block < caches.size(); block++) {
            caches.get(block).rows().append(plan.blocks().get(block).positions());
        }

        var tokens = embed(plan);
        var x = features.map(rows -> fuse(tokens, rows)).orElse(tokens);
        states.put(new HiddenState.AfterLayer(0), x);
        for (int layer = 0; layer < config.layers(); layer++) {
            x = layer(layer, x, tokens, cos, sin, plan);
            states.put(new HiddenState.AfterLayer(layer + 1), x);
        }
        var normed =
                Weight.FINAL_NORM.present(config)
                        ? rmsNorm(x, weight(outer, Weight.FINAL_NORM))
                        : x;
        states.put(new HiddenState.AfterFinalNorm(), normed);
        return result(plan, outputs, normed, states);
    }

    private NDArray embed(PassPlan plan) {
        var rows = embedding.get(manager.create(plan.tokens()));
        if (config.fusion().filter(FusionConfig::maskFirstPosition).isEmpty()) {
            return rows;
        }
        var kept = new float[plan.rows()];
        for (int row = 0; row < kept.length; row++) {
            kept[row] = plan.positions()[row] == 0 ? 0 : 1;
        }
        return rows.mul(manager.create(kept, new Shape(kept.length, 1)));
    }

    /// Joins embeddings `[n, d]` with features, `[n, a*t]` from the target or `[n, d]` recycled.
    private NDArray fuse(NDArray tokens, FeatureRows rows) {
        var fusion = config.fusion().orElseThrow();
        var memory = rows.memory().toArray(ValueLayout.JAVA_FLOAT);
        var given = manager.create(memory, new Shape(rows.rows(), rows.width()));
        var feature = rows.source() == FeatureRows.Source.TARGET ? reduce(fusion, given) : given;
        if (fusion.join().wide()) {
            return feature;
        }
        var first = fusion.embeddingNorm() ? normed(tokens, Weight.EMBEDDING_NORM) : tokens;
        var second = fusion.featureNorm() ? normed(feature, Weight.FEATURE_NORM) : feature;
        var both =
                fusion.join() == FusionConfig.Join.FEATURE_FIRST
                        ? second.concat(first, 1)
                        : first.concat(second, 1);
        return linear(outer, Weight.JOIN, Weight.JOIN_BIAS, both);
    }

    private NDArray reduce(FusionConfig fusion, NDArray captured) {
        var normed =
                switch (fusion.capturedNorm()) {
                    case NONE -> captured;
                    case JOINED -> normed(captured, Weight.CAPTURED_NORM);
                    case EACH -> {
                        var parts = new Shape(-1, fusion.captured(), fusion.targetHiddenSize());
                        var weights =
                                weight(outer, Weight.CAPTURED_NORM)
                                        .reshape(fusion.captured(), fusion.targetHiddenSize());
                        yield rmsNorm(captured.reshape(parts), weights)
                                .reshape(-1, fusion.capturedWidth());
                    }
                };
        return fusion.reduction()
                ? normed.matMul(weight(outer, Weight.REDUCTION).transpose())
                : normed;
    }

    private NDArray layer(
            int layer, NDArray x, NDArray tokens, NDArray cos, NDArray sin, PassPlan plan) {
        var weights = layers.get(layer);
        var fusion = config.fusion();
        NDArray read;
        var residual = x;
        if (fusion.isPresent() && fusion.get().wide(layer)) {
            var stream = rmsNorm(x, weight(weights, Weight.STREAM_NORM));
            read = rmsNorm(tokens, weight(weights, Weight.INPUT_NORM)).concat(stream, 1);
            residual = fusion.get().normedResidual() && layer == 0 ? stream : x;
        } else {
            read =
                    Weight.INPUT_NORM.present(config, layer)
                            ? rmsNorm(x, weight(weights, Weight.INPUT_NORM))
                            : x;
        }
        var attended = residual.add(attention(layer, read, cos, sin, plan));
        return attended.add(
                feedForward(weights, rmsNorm(attended, weight(weights, Weight.FEED_FORWARD_NORM))));
    }

    private NDArray normed(NDArray x, Weight norm) {
        return rmsNorm(x, weight(outer, norm));
    }

    /// `x / sqrt(mean(x^2) + eps) * weight` along the last dimension.
    private NDArray rmsNorm(NDArray x, NDArray weight) {
        var meanSquare = x.square().mean(new int[] {-1}, true);
        boolean zeroCentred = config.fusion().filter(FusionConfig::zeroCentredNorms).isPresent();
        return x.div(meanSquare.add(config.normEpsilon()).sqrt())
                .mul(zeroCentred ? weight.add(1) : weight);
    }

    /// `down(silu(gate(x)) * up(x))`.
    private NDArray feedForward(Map<Weight, NDArray> weights, NDArray x) {
        var gate = linear(weights, Weight.GATE, Weight.GATE_BIAS, x);
        var up = linear(weights, Weight.UP, Weight.UP_BIAS, x);
        var silu = gate.mul(Activation.sigmoid(gate));
        return linear(weights, Weight.DOWN, Weight.DOWN_BIAS, silu.mul(up));
    }

    private NDArray attention(int layer, NDArray x, NDArray cos, NDArray sin, PassPlan plan) {
        var weights = layers.get(layer);
        boolean gated = config.fusion().filter(FusionConfig::gatedQueries).isPresent();
        var asked =
                linear(weights, Weight.QUERY, Weight.QUERY_BIAS, x)
                        .reshape(
                                -1,
                                config.heads(),
                                gated ? 2L * config.headSize() : config.headSize());
        var queries = gated ? asked.get(new NDIndex("..., :{}", config.headSize())) : asked;
        var keys = heads(linear(weights, Weight.KEY, Weight.KEY_BIAS, x), config.keyValueHeads());
        var values =
                heads(linear(weights, Weight.VALUE, Weight.VALUE_BIAS, x), config.keyValueHeads());
        if (config.queryKeyNorm()) {
            queries = rmsNorm(queries, weight(weights, Weight.QUERY_NORM));
            keys = rmsNorm(keys, weight(weights, Weight.KEY_NORM));
        }
        queries = rotate(queries, cos, sin);
        keys = rotate(keys, cos, sin);

        var attended = new NDList();
        for (int index = 0; index < plan.blocks().size(); index++) {
            var block = plan.blocks().get(index);
            var cache = (ReferenceCache) block.cache();
            int end = plan.starts()[index] + block.tokens().length;
            var rows = new NDIndex("{}:{}", plan.starts()[index], end);
            int first = cache.used() - block.tokens().length;
            cache.write(layer, first, keys.get(rows), values.get(rows));
            attended.add(
                    attend(
                            queries.get(rows),
                            cache.keys(layer),
                            cache.values(layer),
                            mask(cache, first, block, config.window(layer))));
        }
        var all = NDArrays.concat(attended, 0);
        if (gated) {
            var gates =
                    asked.get(new NDIndex("..., {}:", config.headSize())).reshape(all.getShape());
            all = all.mul(Activation.sigmoid(gates));
        }
        return linear(weights, Weight.OUTPUT, Weight.OUTPUT_BIAS, all);
    }

    /// `[n, H*h]` to `[n, H, h]`.
    private NDArray heads(NDArray x, int heads) {
        return x.reshape(-1, heads, config.headSize());
    }

    /// Rotates the pairs `(i, i + h/2)` of every head by the angles of the row's position.
    private NDArray rotate(NDArray x, NDArray cos, NDArray sin) {
        int half = config.headSize() / 2;
        var first = x.get(new NDIndex("..., :{}", half));
        var second = x.get(new NDIndex("..., {}:", half));
        return first.mul(cos).sub(second.mul(sin)).concat(second.mul(cos).add(first.mul(sin)), 2);
    }

    /// Scaled dot-product attention of `[n, H, h]` queries to `[K, T, h]` keys and values; query head i reads
    /// key-value head `i / (H/K)`.
    private NDArray attend(NDArray queries, NDArray keys, NDArray values, NDArray mask) {
        int group = config.heads() / config.keyValueHeads();
        var scores =
                queries.transpose(1, 0, 2)
                        .matMul(keys.repeat(0, group).transpose(0, 2, 1))
                        .div(Math.sqrt(config.headSize()))
                        .add(mask);
        return scores.softmax(-1)
                .matMul(values.repeat(0, group))
                .transpose(1, 0, 2)
                .reshape(-1, (long) config.heads() * config.headSize());
    }

    /// `[n, T]`: 0 where a row may look, minus infinity elsewhere.
    private NDArray mask(ReferenceCache cache, int first, RowBlock block, OptionalInt window) {
        var visibility = new Visibility(cache.rows(), first, block, window);
        int rows = block.tokens().length;
        int columns = cache.used();
        var mask = new float[rows * columns];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                mask[row * columns + column] =
                        visibility.sees(row, column) ? 0 : Float.NEGATIVE_INFINITY;
            }
        }
        return manager.create(mask, new Shape(rows, columns));
    }

    private NDArray linear(Map<Weight, NDArray> weights, Weight matrix, Weight bias, NDArray x) {
        var product = x.matMul(weight(weights, matrix).transpose());
        return bias.present(config) ? product.add(weight(weights, bias)) : product;
    }

    private PassResult result(
            PassPlan plan, PassOutputs outputs, NDArray normed, Map<HiddenState, NDArray> states) {
        var owner = TensorRuntime.newManager();
        var wanted = new HashMap<HiddenState, Tensor>();
        for (var state : outputs.hiddenStates()) {
            wanted.put(state, kept(state(states, state), owner));
        }
        long[] rows = plan.rowsWithLogits();
        Optional<Tensor> logits =
                rows.length == 0
                        ? Optional.empty()
                        : Optional.of(
                                kept(
                                        normed.get(manager.create(rows)).matMul(head.transpose()),
                                        owner));
        return new TensorPassResult(plan.logitRow(), logits, wanted, owner);
    }

    /// A copy that outlives the pass.
    private static Tensor kept(NDArray array, PtNDManager owner) {
        var copy = array.duplicate();
        NDScope.unregister(copy);
        copy.attach(owner);
        return Tensor.of(copy);
    }

    private static NDArray state(Map<HiddenState, NDArray> states, HiddenState which) {
        var state = states.get(which);
        if (state == null) {
            throw new IllegalArgumentException(which + " does not exist");
        }
        return state;
    }

    private static NDArray weight(Map<Weight, NDArray> weights, Weight weight) {
        var array = weights.get(weight);
        if (array == null) {
            throw new IllegalStateException("no weight " + weight);
        }
        return array;
    }

    private Map<Weight, NDArray> loadAll(WeightSource source, int layer, boolean perLayer) {
        var weights = new EnumMap<Weight, NDArray>(Weight.class);
        for (var weight : Weight.values()) {
            if (weight.perLayer() == perLayer && weight.present(config, layer)) {
                weights.put(weight, load(source, weight, layer));
            }
        }
        return weights;
    }

    private NDArray load(WeightSource source, Weight weight, int layer) {
        return source.load(weight, layer, ElementType.F32, manager).array();
    }
}

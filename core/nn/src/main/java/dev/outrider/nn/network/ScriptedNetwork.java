package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import dev.outrider.spi.HiddenState;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/// The fast decoder: one native call per pass into TorchScript generated for the configuration, over prepacked
/// weights where the machine has the operation and the matrices are wide enough.
///
/// Projections run over the rows of all sequences at once, attention per sequence. In bfloat16, results differ from
/// [ReferenceNetwork] by rounding; in 32 bits by the order of additions.
public final class ScriptedNetwork implements DecoderNetwork, SharedWeights {
    private final DecoderConfig config;
    private final LinearKind kind;
    private final OptionalInt window;
    private final TorchScript script;
    private final PackedWeights weights;
    private final ReentrantLock lock = new ReentrantLock();

    /// Loads and packs all weights in the fastest way for this machine.
    public ScriptedNetwork(DecoderConfig config, WeightSource source, ElementType type) {
        this(config, source, LinearKind.fastest(config, type));
    }

    ScriptedNetwork(DecoderConfig config, WeightSource source, LinearKind kind) {
        this.config = config;
        this.kind = kind;
        window = anyWindow(config);
        TensorThread.enterInference();
        script = TorchScript.compile(DecoderScript.of(config, kind));
        weights = PackedWeights.load(config, source, kind);
    }

    /// Its architecture.
    public DecoderConfig config() {
        return config;
    }

    /// Element type of weights and caches.
    public ElementType type() {
        return kind.type();
    }

    @Override
    public KvCache newCache(int rows) {
        return new ScriptedCache(config, kind.type(), script, rows);
    }

    @Override
    public PassResult forward(List<RowBlock> blocks, PassOutputs outputs) {
        var plan = PassPlan.of(blocks, outputs, config);
        lock.lock();
        try {
            TensorThread.enterInference();
            return run(plan, outputs);
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
    public Tensor embed(int[] tokens, PtNDManager manager) {
        try (var ids = TorchValue.ofLongs(longs(tokens))) {
            return borrow("embed", ids, manager);
        }
    }

    @Override
    public Tensor head(Tensor hidden, PtNDManager manager) {
        try (var input = TorchValue.of(hidden)) {
            return borrow("head", input, manager);
        }
    }

    @Override
    public void close() {
        weights.close();
        script.close();
    }

    private PassResult run(PassPlan plan, PassOutputs outputs) {
        var caches = new ArrayList<Tensor>();
        var masks = new ArrayList<Tensor>();
        var spans = new ArrayList<Integer>();
        var taps = taps(outputs);
        boolean tapNorm = outputs.hiddenStates().contains(new HiddenState.AfterFinalNorm());
        long[] headRows = plan.rowsWithLogits();
        try (var arena = Arena.ofConfined();
                var scratch = TensorRuntime.newManager()) {
            for (int index = 0; index < plan.blocks().size(); index++) {
                var block = plan.blocks().get(index);
                var cache = (ScriptedCache) block.cache();
                int before = cache.used();
                cache.rows().append(block.positions());
                var full = AttentionMask.of(cache.rows(), before, block, OptionalInt.empty());
                var windowed =
                        window.isPresent()
                                ? AttentionMask.of(cache.rows(), before, block, window)
                                : full;
                caches.add(cache.tensor());
                var fullMask = full.tensor(scratch, arena);
                masks.add(fullMask);
                masks.add(window.isPresent() ? windowed.tensor(scratch, arena) : fullMask);
                spans.addAll(
                        List.of(
                                plan.starts()[index],
                                plan.starts()[index] + block.tokens().length,
                                before,
                                full.firstKey(),
                                windowed.firstKey()));
            }
            try (var tokens = TorchValue.ofLongs(longs(plan.tokens()));
                    var positions = TorchValue.ofLongs(longs(plan.positions()));
                    var cacheList = TorchValue.ofTensors(caches);
                    var spanList =
                            TorchValue.ofLongs(
                                    spans.stream().mapToLong(Integer::longValue).toArray());
                    var maskList = TorchValue.ofTensors(masks);
                    var tapList =
                            TorchValue.ofLongs(
                                    taps.stream()
                                            .mapToLong(HiddenState.AfterLayer::layers)
                                            .toArray());
                    var tapNormFlag = TorchValue.of(tapNorm);
                    var headList = TorchValue.ofLongs(headRows);
                    var reported =
                            script.call(
                                    "run",
                                    tokens,
                                    positions,
                                    weights.layers(),
                                    weights.shared(),
                                    cacheList,
                                    spanList,
                                    maskList,
                                    tapList,
                                    tapNormFlag,
                                    headList)) {
                return result(plan, taps, tapNorm, headRows.length > 0, reported);
            }
        }
    }

    private Tensor borrow(String method, TorchValue input, PtNDManager manager) {
        lock.lock();
        try {
            TensorThread.enterInference();
            try (var result = script.callRecording(method, input, weights.shared())) {
                return result.toTensor(manager);
            }
        } finally {
            lock.unlock();
        }
    }

    private static PassResult result(
            PassPlan plan,
            List<HiddenState.AfterLayer> taps,
            boolean tapNorm,
            boolean logits,
            TorchValue reported) {
        var manager = TensorRuntime.newManager();
        var tensors = reported.toTensors(manager).iterator();
        var hidden = new HashMap<HiddenState, Tensor>();
        for (var tap : taps) {
            hidden.put(tap, tensors.next());
        }
        if (tapNorm) {
            hidden.put(new HiddenState.AfterFinalNorm(), tensors.next());
        }
        return new TensorPassResult(
                plan.logitRow(),
                logits ? Optional.of(tensors.next()) : Optional.empty(),
                hidden,
                manager);
    }

    private static List<HiddenState.AfterLayer> taps(PassOutputs outputs) {
        return outputs.hiddenStates().stream()
                .filter(HiddenState.AfterLayer.class::isInstance)
                .map(HiddenState.AfterLayer.class::cast)
                .sorted(Comparator.comparingInt(HiddenState.AfterLayer::layers))
                .toList();
    }

    private static OptionalInt anyWindow(DecoderConfig config) {
        for (int layer = 0; layer < config.layers(); layer++) {
            if (config.window(layer).isPresent()) {
                return config.window(layer);
            }
        }
        return OptionalInt.empty();
    }

    private static long[] longs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }
}

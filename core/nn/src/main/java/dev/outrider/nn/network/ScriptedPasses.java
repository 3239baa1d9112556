package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.nn.runtime.TensorThread;
import dev.outrider.nn.runtime.TorchScript;
import dev.outrider.nn.runtime.TorchValue;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/// Runs passes of the code generated for a configuration over its packed weights; what decoders, encoders and draft
/// layers have in common. Passes are serialised.
final class ScriptedPasses implements AutoCloseable {
    private final DecoderConfig config;
    private final LinearKind kind;
    private final TorchScript script;
    private final PackedWeights weights;
    private final ReentrantLock lock = new ReentrantLock();

    ScriptedPasses(
            DecoderConfig config,
            WeightSource source,
            LinearKind kind,
            Optional<BorrowedWeights> lender) {
        this.config = config;
        this.kind = kind;
        TensorThread.enterInference();
        script = TorchScript.compile(DecoderScript.of(config, kind));
        weights = PackedWeights.load(config, source, kind, lender);
    }

    DecoderConfig config() {
        return config;
    }

    LinearKind kind() {
        return kind;
    }

    KvCache newCache(int rows) {
        return new ScriptedCache(config, kind.type(), script, rows, Optional.empty());
    }

    /// A cache whose rows attend to a source.
    ///
    /// @param states what the encoder made of it, `[length, hiddenSize]`
    KvCache newCache(int rows, Tensor states) {
        lock.lock();
        try {
            TensorThread.enterInference();
            try (var input = TorchValue.of(states);
                    var source = script.call("source", input, weights.layers())) {
                return new ScriptedCache(config, kind.type(), script, rows, Optional.of(source));
            }
        } finally {
            lock.unlock();
        }
    }

    /// @param more what the generated code takes beyond the arguments every decoder's takes
    TensorPassResult forward(PassPlan plan, PassOutputs outputs, List<TorchValue> more) {
        lock.lock();
        try {
            TensorThread.enterInference();
            return run(plan, outputs, more);
        } finally {
            lock.unlock();
        }
    }

    /// Calls a method that takes one value and the shared weights.
    Tensor lend(String method, TorchValue input, PtNDManager manager) {
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

    /// A weight outside the layers; the same memory, another handle.
    Tensor shared(ScriptText.Shared which, PtNDManager manager) {
        return weights.shared().toTensors(manager).get(which.ordinal());
    }

    @Override
    public void close() {
        weights.close();
        script.close();
    }

    private TensorPassResult run(PassPlan plan, PassOutputs outputs, List<TorchValue> more) {
        var taps = taps(outputs);
        boolean tapNorm = outputs.hiddenStates().contains(new HiddenState.AfterFinalNorm());
        long[] headRows = plan.rowsWithLogits();
        try (var arena = Arena.ofConfined();
                var scratch = TensorRuntime.newManager()) {
            var blocks = PassBlocks.append(plan, config, scratch, arena);
            try (var tokens = TorchValue.ofLongs(longs(plan.tokens()));
                    var positions = TorchValue.ofLongs(longs(plan.positions()));
                    var cacheList = TorchValue.ofTensors(blocks.caches());
                    var spanList =
                            TorchValue.ofLongs(
                                    blocks.spans().stream().mapToLong(Long::longValue).toArray());
                    var maskList = TorchValue.ofTensors(blocks.masks());
                    var tapList =
                            TorchValue.ofLongs(
                                    taps.stream()
                                            .mapToLong(HiddenState.AfterLayer::layers)
                                            .toArray());
                    var tapNormFlag = TorchValue.of(tapNorm);
                    var headList = TorchValue.ofLongs(headRows);
                    var sources = TorchValue.ofTensors(blocks.sources());
                    var keys = TorchValue.ofTensors(blocks.keys());
                    var reported =
                            script.call(
                                    "run",
                                    Stream.of(
                                                    Stream.of(
                                                            tokens,
                                                            positions,
                                                            weights.layers(),
                                                            weights.shared(),
                                                            cacheList,
                                                            spanList,
                                                            maskList,
                                                            tapList,
                                                            tapNormFlag,
                                                            headList),
                                                    given(sources, blocks.sources()),
                                                    given(keys, blocks.keys()),
                                                    more.stream())
                                            .flatMap(each -> each)
                                            .toArray(TorchValue[]::new))) {
                return result(plan, taps, tapNorm, headRows.length > 0, reported);
            }
        }
    }

    /// The generated code takes it only where there is some.
    private static Stream<TorchValue> given(TorchValue list, List<Tensor> tensors) {
        return tensors.isEmpty() ? Stream.empty() : Stream.of(list);
    }

    private static TensorPassResult result(
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

    private static long[] longs(int[] values) {
        return Arrays.stream(values).asLongStream().toArray();
    }
}

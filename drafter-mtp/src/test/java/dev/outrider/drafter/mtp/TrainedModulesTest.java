package dev.outrider.drafter.mtp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.torch.TensorRuntime;
import dev.outrider.torch.TensorThread;
import dev.outrider.torch.TorchScript;
import dev.outrider.torch.TorchValue;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.Learner;
import dev.outrider.training.TokenRows;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingConfig.LearningRate;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.head.HeadLearner;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Modules compute the same after training as in training: the training program's logits are those of the loaded networks, row by
/// row, for one module chained and for separate modules, with states before and after the final norm.
class TrainedModulesTest {
    private static final int TOKENS = 9;
    private static final long SEED = 4;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aChainedModuleIsTrainedAsItIsRun(boolean normed) throws IOException {
        try (var given = new Given(new MtpModules(1, 3, 0.7, normed))) {
            var network = given.networks.getFirst();
            for (int column = 0; column < given.columns(); column++) {
                try (var cache = network.newCache(TOKENS)) {
                    var state = given.trueRows(network, cache, column, 0);
                    for (int step = 1; step < 3; step++) {
                        var block = RowBlock.continuing(cache, given.tokens[column + step + 1]);
                        state = given.compare(network, block, state, step, column);
                    }
                }
            }
        }
    }

    @Test
    void modulesOfTheirOwnAreTrainedAsTheyAreRun() throws IOException {
        try (var given = new Given(new MtpModules(3, 3, 1, true))) {
            var states = given.targetStates;
            var source = FeatureRows.Source.TARGET;
            for (int module = 0; module < 3; module++) {
                var network = given.networks.get(module);
                try (var cache = network.newCache(TOKENS)) {
                    var passed = new ArrayList<float[]>();
                    for (int column = 0; column < given.columns(); column++) {
                        int token = given.tokens[column + module + 1];
                        try (var pass =
                                given.run(
                                        network,
                                        RowBlock.continuing(cache, token),
                                        states.get(column),
                                        source)) {
                            given.assertLogits(pass, module, column);
                            passed.add(given.passedOn(pass, 0));
                        }
                        cache.keep(List.of(0));
                    }
                    states = passed;
                }
                source = FeatureRows.Source.RECYCLED;
            }
        }
    }

    private static TrainingConfig training() {
        return new TrainingConfig(
                1,
                1,
                TOKENS,
                new LearningRate(0.01, 0.2, 0, 1),
                TrainingConfig.Optimizer.standard(),
                TrainingConfig.Precision.FLOAT32,
                1,
                1,
                1,
                1,
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty());
    }

    /// Modules with random parameters, once in the training program and once loaded from their checkpoint, and the program's
    /// results for one row of tokens.
    private final class Given implements AutoCloseable {
        final int[] tokens =
                new SplittableRandom(SEED).ints(TOKENS + 1, 0, TinyTarget.VOCABULARY).toArray();
        final List<FeatureNetwork> networks;
        final List<float[]> targetStates;
        private final MtpModules modules;
        private final VectorNetwork lender = TinyTarget.SHALLOW.network();
        private final List<float[]> logits;
        private final Arena arena = Arena.ofConfined();

        Given(MtpModules modules) throws IOException {
            this.modules = modules;
            var target = TinyTarget.SHALLOW.write(folder.resolve("target"));
            var keys =
                    new FrozenTargetKeys(
                            folder.resolve("unused"),
                            target,
                            Precision.F32,
                            "",
                            1,
                            Optional.empty(),
                            TrainingPlan.Storage.FLOAT32,
                            training());
            try (var learner =
                            HeadLearner.of(
                                    new MtpTraining(keys, modules, 0.5, Divergence.FORWARD_KL),
                                    (_, _) -> {
                                        throw new AssertionError("no rows are read");
                                    });
                    var manager = TensorRuntime.newManager()) {
                var random = new SplittableRandom(SEED);
                var values =
                        learner.parameters().list().stream()
                                .map(parameter ->
                                        random(random, parameter.size(), parameter.decays()))
                                .toList();
                var rows = new TokenRows(IntStream.of(tokens).asLongStream().toArray(), 1);
                var inputs = learner.inputs(rows, manager);
                targetStates = rows(inputs.get(1), TinyTarget.HIDDEN);
                logits = logits(learner, values, inputs, manager);
                var finished = learner.finished(values, 0);
                var out = Files.createDirectories(folder.resolve("modules"));
                Files.writeString(out.resolve("config.json"), finished.configJson());
                SafetensorsWriter.write(
                        out.resolve("model.safetensors"), finished.tensors(), Map.of());
                try (var checkpoint = ModuleCheckpoint.open(out)) {
                    networks =
                            checkpoint.load(
                                    modules.modules(),
                                    checkpoint.switches().order(),
                                    (config, weights) ->
                                            new VectorFeatureNetwork(
                                                    config,
                                                    weights,
                                                    Precision.F32,
                                                    Optional.of(lender)));
                }
            }
        }

        int columns() {
            return TOKENS - modules.steps();
        }

        /// Feeds rows 0 to `column` of true states; returns the last row's state.
        float[] trueRows(FeatureNetwork network, KvCache cache, int column, int step) {
            float[] state = {};
            for (int row = 0; row <= column; row++) {
                try (var pass =
                        run(
                                network,
                                RowBlock.continuing(cache, tokens[row + 1]),
                                targetStates.get(row),
                                FeatureRows.Source.TARGET)) {
                    assertLogits(pass, step, row);
                    state = passedOn(pass, 0);
                }
                cache.keep(List.of(0));
            }
            return state;
        }

        float[] compare(
                FeatureNetwork network, RowBlock block, float[] state, int step, int column) {
            try (var pass = run(network, block, state, FeatureRows.Source.RECYCLED)) {
                assertLogits(pass, step, column);
                return passedOn(pass, 0);
            }
        }

        PassResult run(
                FeatureNetwork network, RowBlock block, float[] state, FeatureRows.Source source) {
            return network.forward(
                    block,
                    new FeatureRows(segment(state), 1, source),
                    new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(passed())));
        }

        float[] passedOn(PassResult pass, int row) {
            return pass.hidden(passed(), row).toArray(ValueLayout.JAVA_FLOAT);
        }

        void assertLogits(PassResult pass, int step, int column) {
            if (column < columns()) {
                assertThat(pass.logits(0).toArray(ValueLayout.JAVA_FLOAT))
                        .describedAs("step %d, column %d", step, column)
                        .containsExactly(logits.get(step * columns() + column), within(2e-4f));
            }
        }

        private HiddenState passed() {
            return modules.normed()
                    ? new HiddenState.AfterFinalNorm()
                    : new HiddenState.AfterLayer(1);
        }

        private MemorySegment segment(float[] values) {
            return arena.allocateFrom(ValueLayout.JAVA_FLOAT, values);
        }

        private static List<float[]> logits(
                Learner learner, List<float[]> values, List<NDArray> inputs, PtNDManager manager) {
            var weights = new ArrayList<NDArray>();
            for (int i = 0; i < values.size(); i++) {
                var shape = new Shape(learner.parameters().list().get(i).shape());
                weights.add(manager.create(values.get(i), shape));
            }
            var constants = learner.constants(manager);
            TensorThread.enterInference();
            try (var script = TorchScript.compile(learner.program());
                    var state = TorchValue.of(inputs.get(1));
                    var tokens = TorchValue.of(inputs.get(0));
                    var mask = TorchValue.of(inputs.get(3));
                    var embedding = TorchValue.of(constants.get(0));
                    var head = TorchValue.of(constants.get(1));
                    var p = TorchValue.ofArrays(weights);
                    var cosines = TorchValue.of(constants.get(2));
                    var sines = TorchValue.of(constants.get(3));
                    var found =
                            script.callRecording(
                                    "mtp", state, tokens, mask, embedding, head, p, cosines,
                                    sines)) {
                var all = new ArrayList<float[]>();
                for (var step : found.toArrays(manager)) {
                    all.addAll(rows(step, TinyTarget.VOCABULARY));
                }
                return all;
            }
        }

        private static List<float[]> rows(NDArray array, int width) {
            float[] all = array.toFloatArray();
            var rows = new ArrayList<float[]>();
            for (int at = 0; at < all.length; at += width) {
                rows.add(Arrays.copyOfRange(all, at, at + width));
            }
            return rows;
        }

        private static float[] random(SplittableRandom random, int size, boolean matrix) {
            var values = new float[size];
            for (int i = 0; i < size; i++) {
                values[i] =
                        (float)
                                (matrix
                                        ? 0.2 * random.nextGaussian()
                                        : 1 + 0.1 * random.nextGaussian());
            }
            return values;
        }

        @Override
        public void close() {
            networks.forEach(FeatureNetwork::close);
            arena.close();
        }
    }
}

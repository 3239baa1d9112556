package dev.outrider.treeverify.kernels;

import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.Experts;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.kernels.KernelTrial.Operand;
import dev.outrider.treeverify.kernels.KernelTrial.RandomPass;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import dev.outrider.treeverify.reference.ReferenceExperts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;

/// Compares the kernels of experts with their reference implementations.
///
/// @param random  the pass
/// @param experts random experts, with a bounded gate if they have biases
/// @param form    form of their matrices
record ExpertChecks(RandomPass random, Experts experts, int form) {
    private static final BoundedGate BOUNDS = new BoundedGate(1.7, 0.8);

    private static final double TOLERANCE = 3e-5;
    private static final int MAX_ROWS = RandomPass.MAX_ROWS;

    static ExpertChecks of(RandomPass random, long seed, int form) {
        var some = new SplittableRandom(seed);
        int count = 2 + some.nextInt(80);
        return new ExpertChecks(
                random,
                new Experts(
                        count,
                        1 + some.nextInt(Math.min(count, 8)),
                        1 + some.nextInt(90),
                        some.nextBoolean(),
                        seed % 3 == 0,
                        OptionalInt.empty(),
                        1,
                        Set.of()),
                form);
    }

    List<KernelCheck> all() {
        return List.of(choose(), list(), gateUp(), down(), addUp(true), addUp(false));
    }

    private int rows() {
        return random.staging().numbers()[PassLayout.ROWS];
    }

    private int chosenFrom() {
        return experts.count() * (1 + 2 * MAX_ROWS);
    }

    /// Returns scores, of which several are equal, followed in each row by the factor of a shared expert. All scores of the first
    /// row are NaN, and half of the second row's.
    private float[] scores(KernelTrial trial) {
        var scores = trial.numbers(MAX_ROWS * (experts.count() + 1), 2);
        for (int index = 0; index < scores.length; index++) {
            scores[index] = Math.round(scores[index] * 2) / 2f;
        }
        Arrays.fill(scores, 0, experts.count() + 1, Float.NaN);
        for (int index = 0; index < experts.count(); index += 2) {
            scores[experts.count() + 1 + index] = Float.NaN;
        }
        return scores;
    }

    private int[] choices(float[] scores) {
        return choices(scores, new float[MAX_ROWS * experts.chosen()]);
    }

    private int[] choices(float[] scores, float[] factors) {
        return ReferenceExperts.choose(
                random.staging().numbers(), scores, factors, experts, MAX_ROWS);
    }

    private KernelCheck choose() {
        var trial = random.trial("choose");
        var scores = scores(trial);
        var factors = trial.written(MAX_ROWS * experts.chosen(), 1);
        var pass = trial.pass(random.staging());
        var device = trial.input(scores);
        int[] expected = choices(scores, factors.plain());
        Arrays.fill(expected, 0, chosenFrom(), ReferenceExperts.UNWRITTEN);
        var choices = trial.result(new int[expected.length], expected);
        return trial.check(
                MAX_ROWS,
                ExpertKernels.LANES,
                1e-6,
                (graph, name) ->
                        graph.task(
                                name,
                                ExpertKernels::choose,
                                trial.context(),
                                pass,
                                device,
                                choices,
                                factors.device(),
                                experts.count() + 1,
                                experts.count(),
                                experts.chosen(),
                                experts.normalised() ? 1 : 0,
                                MAX_ROWS));
    }

    private KernelCheck list() {
        var trial = random.trial("list");
        int[] expected = choices(scores(trial));
        int[] before = new int[expected.length];
        int first = chosenFrom();
        System.arraycopy(expected, first, before, first, expected.length - first);
        var pass = trial.pass(random.staging());
        var choices = trial.result(before, expected);
        return trial.check(
                Math.ceilDiv(experts.count(), RowKernels.LANES),
                RowKernels.LANES,
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                ExpertKernels::list,
                                trial.context(),
                                pass,
                                choices,
                                experts.count(),
                                experts.chosen(),
                                MAX_ROWS));
    }

    private KernelCheck gateUp() {
        var trial = random.trial("gateUp of experts", form);
        int size = random.config().hiddenSize();
        int inner = experts.intermediateSize();
        int padded = experts.count() * Math.ceilDiv(2 * inner, 8) * 8;
        int[] chosen = choices(scores(trial));
        var choices = trial.offsets(chosen);
        var weights = trial.numbers(padded * size, 1 / Math.sqrt(size));
        var from = trial.read(MAX_ROWS * size, 1);
        var to = trial.written(MAX_ROWS * experts.chosen() * inner, 1);
        var biases = trial.read(padded + 3, 1);
        var offsets = trial.offsets(0, 3);
        boolean biased = experts.biases();
        var matrix = trial.matrix(form, weights, padded, size);
        ReferenceExperts.gateUp(
                chosen,
                rows() * experts.chosen(),
                weights,
                biases(biases, padded),
                from.plain(),
                to.plain(),
                experts,
                Optional.of(BOUNDS).filter(_ -> biased),
                MAX_ROWS,
                size);
        return trial.check(
                padded / Projections.TILE,
                Projections.LANES,
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::gateUp,
                                trial.context(),
                                choices,
                                matrix.floats(from.device()),
                                matrix.packed(choices),
                                matrix.form(),
                                biases.device(),
                                biased ? 1 : LayerOffsets.NONE,
                                from.device(),
                                0,
                                to.device(),
                                offsets,
                                size,
                                inner,
                                0,
                                biased ? (float) BOUNDS.slope() : 0f,
                                biased ? (float) BOUNDS.limit() : 0f,
                                experts.count(),
                                MAX_ROWS,
                                -1f));
    }

    private KernelCheck down() {
        var trial = random.trial("residual of experts", form);
        int outputs = random.config().hiddenSize();
        int size = experts.intermediateSize();
        int padded = experts.count() * Math.ceilDiv(outputs, 8) * 8;
        int[] chosen = choices(scores(trial));
        var choices = trial.offsets(chosen);
        var weights = trial.numbers(padded * size, 1 / Math.sqrt(size));
        var from = trial.read(MAX_ROWS * experts.chosen() * size, 1);
        var factors = trial.read(MAX_ROWS * experts.chosen(), 1);
        var to = trial.written(MAX_ROWS * experts.chosen() * outputs, 1);
        var biases = trial.read(padded + 3, 1);
        var normed = trial.written(1, 1);
        var offsets = trial.offsetsOf(random.shape(), 0, 3);
        var matrix = trial.matrix(form, weights, padded, size);
        ReferenceExperts.down(
                chosen,
                rows() * experts.chosen(),
                weights,
                biases(biases, padded),
                from.plain(),
                factors.plain(),
                to.plain(),
                experts,
                MAX_ROWS,
                outputs);
        return trial.check(
                padded / Projections.TILE,
                Projections.LANES,
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                Projections::residual,
                                trial.context(),
                                choices,
                                matrix.floats(from.device()),
                                matrix.packed(choices),
                                matrix.form(),
                                biases.device(),
                                experts.biases() ? 1 : LayerOffsets.NONE,
                                from.device(),
                                factors.device(),
                                LayerOffsets.NONE,
                                to.device(),
                                0,
                                biases.device(),
                                LayerOffsets.NONE,
                                normed.device(),
                                offsets,
                                size,
                                outputs,
                                1f,
                                experts.count()));
    }

    /// Returns the biases that the reference implementation adds, which are zeros if the experts have none.
    private float[] biases(Operand biases, int count) {
        return experts.biases()
                ? Arrays.copyOfRange(biases.plain(), 3, count + 3)
                : new float[count];
    }

    private KernelCheck addUp(boolean isShared) {
        var trial = random.trial(isShared ? "addUp, with a shared expert" : "addUp");
        int size = random.config().hiddenSize();
        var made = trial.read(MAX_ROWS * experts.chosen() * size, 1);
        var shared = trial.read(MAX_ROWS * size, 1);
        int width = experts.count() + (isShared ? 1 : 0);
        var scores = trial.read(MAX_ROWS * width, 1);
        var stream = trial.read(MAX_ROWS * size, 1);
        var to = trial.written(MAX_ROWS * size, 1);
        var pass = trial.pass(random.staging());
        var offsets = trial.offsets(0);
        ReferenceExperts.addUp(
                rows(),
                made.plain(),
                shared.plain(),
                scores.plain(),
                width,
                experts.count(),
                stream.plain(),
                to.plain(),
                experts.chosen(),
                size);
        return trial.check(
                Math.ceilDiv(MAX_ROWS * size, RowKernels.LANES),
                RowKernels.LANES,
                TOLERANCE,
                (graph, name) ->
                        graph.task(
                                name,
                                ExpertKernels::addUp,
                                trial.context(),
                                pass,
                                made.device(),
                                shared.device(),
                                scores.device(),
                                width,
                                experts.count(),
                                stream.device(),
                                0,
                                to.device(),
                                0,
                                offsets,
                                size,
                                experts.chosen(),
                                1f));
    }
}

package dev.outrider.treeverify.kernels;

import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.kernels.KernelTrial.RandomPass;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceFeatures;
import java.util.BitSet;
import java.util.List;

/// Compares the kernels of a draft layer's input with their reference implementations.
///
/// @param random the shape
/// @param staging a pass whose first row is at position 0
record FeatureChecks(RandomPass random, PassStaging staging) {
    private static final int ROWS = 7;
    private static final int REDUCED = 4;

    static List<KernelCheck> run(RandomPass random) {
        var staging = new PassStaging(random.shape());
        for (int row = 0; row < ROWS; row++) {
            staging.add(1, row, 0, row, row + 1, new BitSet(), false);
        }
        var checks = new FeatureChecks(random, staging);
        return List.of(
                checks.choose(),
                checks.copyRows(),
                checks.addRows(),
                checks.joinHalves(0),
                checks.joinHalves(1),
                checks.joinHalves(2));
    }

    private int size() {
        return random.config().hiddenSize();
    }

    private int numbers() {
        return RandomPass.MAX_ROWS * size();
    }

    private KernelCheck choose() {
        var trial = random.trial("choose");
        var features = trial.read(numbers(), 1);
        var reduced = trial.read(numbers(), 1);
        var to = trial.written(numbers(), 1);
        var pass = trial.pass(staging);
        var captured = trial.offsets(REDUCED);
        ReferenceFeatures.choose(
                staging.rows(), REDUCED, features.plain(), reduced.plain(), to.plain(), size());
        return trial.check(
                Math.ceilDiv(numbers(), RowKernels.LANES),
                RowKernels.LANES,
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                FeatureKernels::choose,
                                trial.context(),
                                pass,
                                captured,
                                features.device(),
                                reduced.device(),
                                to.device(),
                                size()));
    }

    private KernelCheck copyRows() {
        var trial = random.trial("copyRows");
        var from = trial.read(2 * numbers(), 1);
        var to = trial.written(numbers(), 1);
        var pass = trial.pass(staging);
        System.arraycopy(from.plain(), numbers(), to.plain(), 0, staging.rows() * size());
        return trial.check(
                Math.ceilDiv(numbers(), RowKernels.LANES),
                RowKernels.LANES,
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                FeatureKernels::copyRows,
                                trial.context(),
                                pass,
                                from.device(),
                                numbers(),
                                to.device(),
                                size()));
    }

    private KernelCheck addRows() {
        var trial = random.trial("addRows");
        var from = trial.read(numbers(), 1);
        var added = trial.read(numbers(), 1);
        var to = trial.written(numbers(), 1);
        var pass = trial.pass(staging);
        for (int item = 0; item < staging.rows() * size(); item++) {
            to.plain()[item] = from.plain()[item] + added.plain()[item];
        }
        return trial.check(
                Math.ceilDiv(numbers(), RowKernels.LANES),
                RowKernels.LANES,
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                FeatureKernels::addRows,
                                trial.context(),
                                pass,
                                from.device(),
                                added.device(),
                                to.device(),
                                size()));
    }

    private KernelCheck joinHalves(int masked) {
        var trial = random.trial("joinHalves, mask " + masked);
        var first = trial.read(numbers(), 1);
        var second = trial.read(numbers(), 1);
        var to = trial.written(2 * numbers(), 1);
        var pass = trial.pass(staging);
        ReferenceFeatures.joinHalves(
                staging.rows(), first.plain(), second.plain(), to.plain(), size(), masked);
        return trial.check(
                Math.ceilDiv(numbers(), RowKernels.LANES),
                RowKernels.LANES,
                0,
                (graph, name) ->
                        graph.task(
                                name,
                                FeatureKernels::joinHalves,
                                trial.context(),
                                pass,
                                first.device(),
                                second.device(),
                                to.device(),
                                size(),
                                masked,
                                RandomPass.MAX_ROWS));
    }
}

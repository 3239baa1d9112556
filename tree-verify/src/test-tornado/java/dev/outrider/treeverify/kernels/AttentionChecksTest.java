package dev.outrider.treeverify.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Scores;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.DeviceCode.KernelCheck;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import java.util.BitSet;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Both kernels of attention agree with their reference implementations for every position of the chunks of a row, with and without
/// sinks.
@RequiresDevice
class AttentionChecksTest {
    private static final OptionalDouble NONE = OptionalDouble.empty();
    private static final int MAX_ROWS = 8;
    private static final int CACHE_ROWS = 240;

    /// A tree of eight nodes after a prefix. A window of 0 keeps all.
    @ParameterizedTest(name = "{0}: prefix {1}, chunk {2}, window {3}, {4} groups")
    @CsvSource({
        "a chunk ends with the prefix, 128, 64, 0, 9",
        "a chunk ends within the tree, 126, 64, 0, 9",
        "a chunk ends with its row's own key, 63, 64, 0, 4",
        "chunks of less than a step, 90, 10, 0, 50",
        "chunks of one key, 20, 1, 0, 7",
        "a chunk of many steps, 200, 150, 0, 3",
        "a window shorter than a chunk, 150, 64, 40, 5",
        "a window of some chunks, 150, 32, 75, 5",
        "a window within the tree, 150, 2, 3, 5",
        "a window longer than the context, 30, 16, 120, 5",
        "nothing but the tree, 0, 2, 0, 5",
        "more groups than work, 70, 64, 0, 70",
    })
    void agreeWithTheirTwins(String what, int prefix, int chunk, int window, int groups) {
        agreeWithTheirTwins(shape(chunk, window, false), what, prefix, groups);
        agreeWithTheirTwins(shape(chunk, window, true), what, prefix, groups);
    }

    private static void agreeWithTheirTwins(
            ProgramShape shape, String what, int prefix, int groups) {
        var random = new SplittableRandom(what.hashCode());
        var checks =
                new AttentionChecks(
                        name -> new KernelTrial(name, Devices.at(0).device(), random.split()),
                        shape,
                        tree(shape, prefix),
                        groups);

        assertThat(checks.attend()).matches(KernelCheck::passed);
        assertThat(checks.reduce()).matches(KernelCheck::passed);
    }

    /// Returns a root with two children and chains below them. Without a prefix the root sees only one key. The sequence begins
    /// at cache row 11.
    private static PassStaging tree(ProgramShape shape, int prefix) {
        int[] parents = {-1, 0, 0, 1, 2, 3, 4, 5};
        var staging = new PassStaging(shape);
        var masks = new BitSet[parents.length];
        for (int node = 0; node < parents.length; node++) {
            masks[node] = node == 0 ? new BitSet() : (BitSet) masks[parents[node]].clone();
            masks[node].set(node);
            int position = prefix + masks[node].cardinality() - 1;
            staging.add(1, position, 11, prefix + node, prefix, masks[node], true);
        }
        return staging;
    }

    private static ProgramShape shape(int chunk, int window, boolean sinks) {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(8)
                        .hiddenSize(24)
                        .intermediateSize(8)
                        .layers(2)
                        .heads(4)
                        .keyValueHeads(2)
                        .headSize(70)
                        .maxPositions(CACHE_ROWS)
                        .tiedHead(true)
                        .slidingWindow(window > 0 ? OptionalInt.of(window) : OptionalInt.empty())
                        .firstWindowLayer(0)
                        .form(BlockForm.llama().with(new Scores(NONE, NONE, sinks)))
                        .build();
        return new ProgramShape(config, MAX_ROWS, 1, CACHE_ROWS, 1).withKeyChunk(chunk);
    }
}

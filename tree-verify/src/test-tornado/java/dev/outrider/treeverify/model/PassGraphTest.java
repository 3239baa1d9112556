package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.RandomLayers;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The graphs of a pass have the number of kernels that is calculated without a device.
@RequiresDevice
@Tag("quick")
class PassGraphTest {
    @Test
    void hasAsManyKernelsAsWereCounted() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new SplittableRandom(seed);
            check("seed " + seed, RandomDecoders.config(random));
            check("experts, seed " + seed, RandomDecoders.experts(random));
        }
        RandomLayers.all().forEach(PassGraphTest::check);
        check("DFlash", RandomLayers.dflash(6));
    }

    private static void check(String what, DecoderConfig config) {
        // Random windows have one chunk, or two.
        var shape = new ProgramShape(config, 8, 3, 70, 5).withKeyChunk(5);
        var weights = new WeightLoader(shape, new RandomWeights(config, 1, 1));
        var graph = new PassGraph(shape, new DeviceArrays(shape, weights));

        var graphs = graph.build(GraphParts.NO_LIMIT);

        assertThat(graphs).hasSameSizeAs(GraphParts.of(shape, GraphParts.NO_LIMIT));
        assertThat(graph.grids().keySet()).describedAs(what).hasSize(GraphParts.kernels(shape));
    }
}

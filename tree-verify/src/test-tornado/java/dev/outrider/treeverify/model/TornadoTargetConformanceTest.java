package dev.outrider.treeverify.model;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TargetConformance;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/// The device preserves every distribution of a target to the last bit: a token's score does not depend on the other rows.
@RequiresDevice
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TornadoTargetConformanceTest extends TargetConformance {
    private final TargetModel target = open(decoder());

    protected DecoderConfig decoder() {
        return RandomDecoders.plain();
    }

    private static TargetModel open(DecoderConfig config) {
        var shape = new ProgramShape(config, 8, 1, 400, 4);
        var weights = new WeightLoader(shape, new RandomWeights(config, 2, 1.0));
        return RandomDecoders.target(
                TornadoCode.network(shape, weights, Devices.at(0), CudaGraphs.AUTO));
    }

    @Override
    protected TargetModel target() {
        return target;
    }

    @AfterAll
    void close() {
        target.close();
    }
}

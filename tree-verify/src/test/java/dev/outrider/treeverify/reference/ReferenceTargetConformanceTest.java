package dev.outrider.treeverify.reference;

import dev.outrider.nn.network.RandomWeights;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TargetConformance;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/// Sessions, cache and passes preserve every distribution of a target, to the last bit, with any program that computes rows
/// independently.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReferenceTargetConformanceTest extends TargetConformance {
    private final TargetModel target = open();

    @Override
    protected TargetModel target() {
        return target;
    }

    @AfterAll
    void close() {
        target.close();
    }

    private static TargetModel open() {
        var config = RandomDecoders.plain();
        var shape = new ProgramShape(config, 8, 1, 400, 4);
        var weights = new WeightLoader(shape, new RandomWeights(config, 2, 1.0));
        return RandomDecoders.target(
                new DeviceNetwork(shape, new ReferenceProgram(shape, weights)));
    }
}

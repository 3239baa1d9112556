package dev.outrider.treeverify.model;

import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.ProgramContract;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// A program with one graph per layer computes the same results, and joins the chunks of a row's keys in their graph.
@RequiresDevice
class SeveralGraphsTest extends ProgramContract {
    @Override
    protected DeviceProgram compile(ProgramShape shape, WeightLoader weights) {
        return new TornadoProgram(shape, weights, Devices.at(0).device(), 1, false);
    }

    @Override
    protected int keyChunk() {
        return 24;
    }

    @Override
    protected int architectures() {
        return 3;
    }
}

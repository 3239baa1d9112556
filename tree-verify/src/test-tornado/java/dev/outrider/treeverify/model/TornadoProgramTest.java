package dev.outrider.treeverify.model;

import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.ProgramContract;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// The device's program satisfies the contract.
@RequiresDevice
class TornadoProgramTest extends ProgramContract {
    @Override
    protected DeviceProgram compile(ProgramShape shape, WeightLoader weights) {
        return new TornadoProgram(shape, weights, Devices.at(0).device());
    }

    @Override
    protected int architectures() {
        return 5;
    }
}

package dev.outrider.treeverify.model;

import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.DecidedPassesContract;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// The device decides as the rules do.
@RequiresDevice
class TornadoDecidedPassesTest extends DecidedPassesContract {
    @Override
    protected DeviceProgram compile(ProgramShape shape, WeightLoader weights) {
        return new TornadoProgram(shape, weights, Devices.at(0).device());
    }
}

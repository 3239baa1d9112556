package dev.outrider.treeverify.plain;

import dev.outrider.treeverify.pass.DecidedPassesContract;
import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// The twins decide as the rules do.
class PlainDecidedPassesTest extends DecidedPassesContract {
    @Override
    protected DeviceProgram compile(ProgramShape shape, WeightLoader weights) {
        return new PlainProgram(shape, weights);
    }
}

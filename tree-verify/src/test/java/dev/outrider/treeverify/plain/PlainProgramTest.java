package dev.outrider.treeverify.plain;

import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.ProgramContract;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// The twins together are a decoder.
class PlainProgramTest extends ProgramContract {
    @Override
    protected DeviceProgram compile(ProgramShape shape, WeightLoader weights) {
        return new PlainProgram(shape, weights);
    }

    @Override
    protected int architectures() {
        return 24;
    }
}

package dev.outrider.treeverify.reference;

import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.ProgramContract;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// The twins together are a decoder.
class ReferenceProgramTest extends ProgramContract {
    @Override
    protected DeviceProgram compile(ProgramShape shape, WeightLoader weights) {
        return new ReferenceProgram(shape, weights);
    }

    @Override
    protected int architectures() {
        return 24;
    }
}

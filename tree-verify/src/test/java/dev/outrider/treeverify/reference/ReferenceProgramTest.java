package dev.outrider.treeverify.reference;

import dev.outrider.treeverify.pass.DeviceProgram;
import dev.outrider.treeverify.pass.ProgramContract;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;

/// The reference implementations together satisfy the contract.
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

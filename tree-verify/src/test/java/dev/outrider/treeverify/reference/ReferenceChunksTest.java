package dev.outrider.treeverify.reference;

/// The reference implementations together satisfy the contract with chunks of a few keys.
class ReferenceChunksTest extends ReferenceProgramTest {
    @Override
    protected int keyChunk() {
        return 5;
    }
}

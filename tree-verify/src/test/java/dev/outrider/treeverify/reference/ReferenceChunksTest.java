package dev.outrider.treeverify.reference;

/// The twins together are a decoder, in chunks of a few keys too.
class ReferenceChunksTest extends ReferenceProgramTest {
    @Override
    protected int keyChunk() {
        return 5;
    }
}

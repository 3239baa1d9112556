package dev.outrider.treeverify.plain;

/// The twins together are a decoder, in chunks of a few keys too.
class PlainChunksTest extends PlainProgramTest {
    @Override
    protected int keyChunk() {
        return 5;
    }
}

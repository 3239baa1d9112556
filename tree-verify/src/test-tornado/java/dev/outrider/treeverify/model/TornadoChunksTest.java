package dev.outrider.treeverify.model;

import dev.outrider.treeverify.device.RequiresDevice;

/// A program whose rows have many chunks of keys computes the same results. Windows of
/// [dev.outrider.treeverify.pass.RandomDecoders] have one chunk or two.
@RequiresDevice
class TornadoChunksTest extends TornadoProgramTest {
    @Override
    protected int keyChunk() {
        return 5;
    }
}

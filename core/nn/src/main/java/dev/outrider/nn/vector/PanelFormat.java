package dev.outrider.nn.vector;

import java.lang.foreign.Arena;

/// A format of panels and the loop that multiplies by them, made once.
enum PanelFormat {
    F32(new FloatBlocks()),
    BF16(new Bfloat16Blocks()),
    F16(new HalfBlocks()),
    INT8(new ByteBlocks()),
    INT4(new NibbleBlocks()),
    LEVELS(new PlainByteBlocks());

    /// Columns of the panel that loops rehearse on, and how often: enough for the compiler to want a profile.
    private static final int REHEARSED = 64;

    private static final int CALLS = 150;

    private final BlockFormat blocks;
    private final Tiles tiles;
    private boolean rehearsed;

    PanelFormat(BlockFormat blocks) {
        this.blocks = blocks;
        tiles = Tiles.of(blocks);
    }

    /// Runs every loop over a small panel until the compiler has a profile of it, once in a process. Loops whose first calls are
    /// those of a pass may be compiled without one, and then make an object of every vector: four times slower, for good.
    synchronized void rehearse() {
        if (rehearsed) {
            return;
        }
        rehearsed = true;
        try (var arena = Arena.ofConfined()) {
            long size = blocks.bytes() * REHEARSED / Panels.BLOCK;
            var memory = Panels.allocate(arena, size + ByteBlocks.BEYOND);
            var x = new float[Lanes.TILE * REHEARSED];
            var y = new float[Lanes.TILE * Lanes.PANEL];
            for (int rows = 1; rows <= Lanes.TILE; rows *= 2) {
                for (int call = 0; call < CALLS; call++) {
                    tiles.multiply(memory, 0, size, 1, x, 0, rows, y, 0, Lanes.PANEL, REHEARSED);
                }
            }
        }
    }

    /// How numbers are kept.
    BlockFormat blocks() {
        return blocks;
    }

    Tiles tiles() {
        return tiles;
    }
}

package dev.outrider.nn.vector;

import dev.outrider.nn.network.Precision;

/// A format of panels and the loop that multiplies by them, made once.
enum PanelFormat {
    F32(new FloatBlocks()),
    BF16(new Bfloat16Blocks()),
    F16(new HalfBlocks()),
    INT8(new ByteBlocks()),
    INT4(new NibbleBlocks());

    private final BlockFormat blocks;
    private final Tiles tiles;

    PanelFormat(BlockFormat blocks) {
        this.blocks = blocks;
        tiles = Tiles.of(blocks);
    }

    static PanelFormat of(Precision precision) {
        return switch (precision) {
            case F32 -> F32;
            case BF16 -> BF16;
            case F16 -> F16;
            case INT8 -> INT8;
            case INT4 -> INT4;
        };
    }

    /// How numbers are kept.
    BlockFormat blocks() {
        return blocks;
    }

    Tiles tiles() {
        return tiles;
    }
}

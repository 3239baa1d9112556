package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.BlockMatrix;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.vector.BlockFormat.FloatBlocks;
import dev.outrider.nn.vector.LevelBlocks.ByteBlocks;
import dev.outrider.nn.vector.LevelBlocks.NibbleBlocks;
import dev.outrider.nn.vector.LevelBlocks.PlainByteBlocks;
import dev.outrider.nn.vector.PairBlocks.Bfloat16Blocks;
import dev.outrider.nn.vector.PairBlocks.HalfBlocks;
import dev.outrider.nn.vector.Panels.Scales;
import java.lang.foreign.Arena;
import java.util.Optional;

/// A format of panels and the loop that multiplies by them, made once.
enum PanelFormat {
    F32(new FloatBlocks()),
    BF16(new Bfloat16Blocks()),
    F16(new HalfBlocks()),
    INT8(new ByteBlocks()),
    INT4(new NibbleBlocks()),
    LEVELS(new PlainByteBlocks()),
    Q4_1(new GroupBlocks(GgufType.Q4_1, 0, 0)),
    Q5_0(new GroupBlocks(GgufType.Q5_0, 1, 16)),
    Q5_1(new GroupBlocks(GgufType.Q5_1, 1, 0)),
    Q2_K(new GroupBlocks(GgufType.Q2_K, 0, 0)),
    Q3_K(new GroupBlocks(GgufType.Q3_K, 0, 4)),
    Q4_K(new GroupBlocks(GgufType.Q4_K, 0, 0)),
    Q5_K(new GroupBlocks(GgufType.Q5_K, 1, 0)),
    Q6_K(new GroupBlocks(GgufType.Q6_K, 2, 32)),
    NIBBLE_32(new ScaledBlocks(GroupedMatrix.Kind.NIBBLE, 32)),
    NIBBLE_64(new ScaledBlocks(GroupedMatrix.Kind.NIBBLE, 64)),
    NIBBLE_128(new ScaledBlocks(GroupedMatrix.Kind.NIBBLE, 128)),
    BYTE_32(new ScaledBlocks(GroupedMatrix.Kind.BYTE, 32)),
    BYTE_64(new ScaledBlocks(GroupedMatrix.Kind.BYTE, 64)),
    BYTE_128(new ScaledBlocks(GroupedMatrix.Kind.BYTE, 128)),
    E4M3_32(new ScaledBlocks(GroupedMatrix.Kind.E4M3, 32)),
    E4M3_64(new ScaledBlocks(GroupedMatrix.Kind.E4M3, 64)),
    E4M3_128(new ScaledBlocks(GroupedMatrix.Kind.E4M3, 128)),
    MXFP4(new MicroscaledBlocks());

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

    /// The format that keeps a file's numbers as they are, if there is one.
    static Optional<PanelFormat> of(TensorType type) {
        return switch (type) {
            case F32 -> Optional.of(F32);
            case BF16 -> Optional.of(BF16);
            case F16 -> Optional.of(F16);
            case Q8_0 -> Optional.of(INT8);
            case Q4_0 -> Optional.of(INT4);
            case Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, MXFP4 ->
                    Optional.of(valueOf(type.name()));
            default -> Optional.empty();
        };
    }

    /// The format that keeps a file's matrix as it is, if there is one.
    static Optional<PanelFormat> of(FileMatrix matrix) {
        return switch (matrix) {
            case BlockMatrix blocks -> of(blocks.type());
            case GroupedMatrix groups ->
                    Optional.of(
                            groups.kind() == GroupedMatrix.Kind.E2M1
                                    ? MXFP4
                                    : valueOf("%s_%d".formatted(groups.kind(), groups.block())));
        };
    }

    /// Bits a number takes, scales included.
    double bits() {
        return (double) blocks.bytes() * Byte.SIZE / ((long) blocks.columns() * Lanes.PANEL);
    }

    /// Runs every loop over a small panel until the compiler has a profile of it, once in a process. Loops whose first calls are
    /// those of a pass may be compiled without one, and then make an object of every vector: four times slower, for good.
    synchronized void rehearse() {
        if (rehearsed) {
            return;
        }
        rehearsed = true;
        try (var arena = Arena.ofConfined()) {
            long size = blocks.bytes() * Math.ceilDiv(REHEARSED, blocks.columns());
            var memory = Panels.allocate(arena, size + Panels.BEYOND);
            var scales = new Scales();
            var x = new float[Lanes.TILE * REHEARSED];
            var y = new float[Lanes.TILE * Lanes.PANEL];
            for (int rows = 1; rows <= Lanes.TILE; rows *= 2) {
                for (int call = 0; call < CALLS; call++) {
                    tiles.multiply(
                            memory,
                            0,
                            size,
                            1,
                            scales.of(blocks, memory, 0, size, 1, REHEARSED),
                            x,
                            0,
                            rows,
                            y,
                            0,
                            Lanes.PANEL,
                            REHEARSED);
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

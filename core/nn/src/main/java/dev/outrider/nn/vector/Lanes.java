package dev.outrider.nn.vector;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// The width of this machine's vectors, and the sizes that follow from it.
final class Lanes {
    /// Property: bits of a vector instead of the machine's preferred width: 128, 256 or 512.
    static final String BITS = "outrider.vector.bits";

    static final VectorSpecies<Float> FLOATS = species();
    static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, FLOATS.vectorShape());
    static final int WIDTH = FLOATS.length();
    static final int BYTES = FLOATS.vectorByteSize();

    /// Outputs of a panel.
    static final int PANEL = 2 * WIDTH;

    /// Maximum rows of a tile: each row needs two registers for its sums, and AVX2 has sixteen registers.
    static final int TILE = FLOATS.vectorBitSize() == 256 ? 4 : 8;

    /// Maximum rows of a tile of [FloatTiles].
    static final int EXACT_TILE = FLOATS.vectorBitSize() == 256 ? 6 : 8;

    /// The machine's byte order, in which vectors are read.
    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private Lanes() {}

    private static VectorSpecies<Float> species() {
        return switch (Integer.getInteger(BITS, 0)) {
            case 128 -> FloatVector.SPECIES_128;
            case 256 -> FloatVector.SPECIES_256;
            case 512 -> FloatVector.SPECIES_512;
            default -> FloatVector.SPECIES_PREFERRED;
        };
    }

    /// Returns the smallest multiple that is not less than a size.
    static int roundedUp(int size, int multiple) {
        return Math.ceilDiv(size, multiple) * multiple;
    }
}

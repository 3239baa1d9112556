package dev.outrider.nn.shape;

import java.util.stream.IntStream;

/// The places of a small tensor's numbers along one dimension of the larger tensor.
///
/// @param size   of the larger dimension
/// @param places for each index of the small dimension, its indexes in the larger one; several for a key-value head that has
///               several copies in the larger shape
@SuppressWarnings("ArrayRecordComponent") // read, never compared
record Axis(int size, int[][] places) {
    /// Returns an axis whose first indexes are the small dimension.
    static Axis corner(int own, int size) {
        return new Axis(
                size,
                IntStream.range(0, own).mapToObj(index -> new int[] {index}).toArray(int[][]::new));
    }

    /// Returns this axis and then another one.
    Axis then(Axis next) {
        var both = new int[places.length + next.places.length][];
        System.arraycopy(places, 0, both, 0, places.length);
        for (int index = 0; index < next.places.length; index++) {
            both[places.length + index] =
                    IntStream.of(next.places[index]).map(place -> size + place).toArray();
        }
        return new Axis(size + next.size, both);
    }

    /// Returns this axis repeated a number of times.
    Axis times(int count) {
        var all = this;
        for (int copy = 1; copy < count; copy++) {
            all = all.then(this);
        }
        return all;
    }

    /// Returns the axis of the numbers of all heads, head by head.
    ///
    /// A rotary embedding turns the pairs (i, i + size / 2), so each half of a small head begins a half of the larger one.
    ///
    /// @param heads    for each small head, the larger heads that contain its numbers
    /// @param ownSize  numbers of a small head; even
    /// @param size     numbers of a larger head; even
    /// @param allHeads number of larger heads
    static Axis heads(int[][] heads, int ownSize, int size, int allHeads) {
        var places = new int[heads.length * ownSize][];
        for (int head = 0; head < heads.length; head++) {
            for (int number = 0; number < ownSize; number++) {
                int half = ownSize / 2;
                int within = number < half ? number : size / 2 + number - half;
                places[head * ownSize + number] =
                        IntStream.of(heads[head]).map(each -> each * size + within).toArray();
            }
        }
        return new Axis(allHeads * size, places);
    }
}

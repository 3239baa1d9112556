package dev.outrider.nn.vector;

/// Every row sees the whole source.
///
/// @param length tokens of the source
record SourceSight(int length) implements Sight {
    @Override
    public int reach(int row) {
        return length;
    }

    @Override
    public void adjust(float[] scores, int at, int head, int row, int seen) {}
}

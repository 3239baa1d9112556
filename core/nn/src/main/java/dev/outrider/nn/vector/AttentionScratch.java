package dev.outrider.nn.vector;

/// What one thread needs to attend. Reused from pass to pass.
final class AttentionScratch {
    final TiledRows queries = new TiledRows();
    final TiledRows weights = new TiledRows();
    final Rows scores = new Rows();
    final Rows out = new Rows();
    final float[] sums = new float[Lanes.TILE];
    final float[] sunk = new float[Lanes.TILE];
}

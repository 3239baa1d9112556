package dev.outrider.experiment.lab;

/// A draft at a position of a text, level by level along the text's path through it. Level k is at index k - 1. The arrays are not
/// changed.
///
/// @param drawn   whether guesses were drawn; otherwise they were ranked or looked up
/// @param p       the target's probability of the text's token; 0 where the text has left the draft or ended
/// @param q       the drafter's; of guesses that were not drawn 1 if the token is among them
/// @param overlap sum of min(p, q) at the node; of guesses that were not drawn what p gives to them
/// @param rank    tokens that the drafter finds more probable; of guesses that were not drawn the place among siblings; -1 if it is not there
/// @param widths  nodes of the level
record RecordedDraft(
        boolean drawn, double[] p, double[] q, double[] overlap, int[] rank, int[] widths) {
    int depth() {
        return widths.length;
    }
}

package dev.outrider.drafter.smallmodel;

/// How a round may end: the path to a node is accepted, no child of it is, and a token follows.
///
/// @param node   of the draft, the last accepted one; 0 if none is
/// @param token  that follows
/// @param chance how probable that is thought to be
record Outcome(int node, int token, double chance) {}

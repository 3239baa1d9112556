package dev.outrider.drafting.bench;

/// What a draft costs beside a target pass of one row: `round + step * depth` passes.
///
/// @param round of every draft, whatever its depth
/// @param step  of each level
public record DraftTimes(double round, double step) {}

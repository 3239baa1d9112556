package dev.outrider.drafter.block;

import dev.outrider.drafting.Drafting;

/// How a block becomes a draft.
///
/// @param drafting            shape, sampling and stops
/// @param acceptanceThreshold where the confidence head ends a draft, 0 to 1; 0 is off
record BlockDrafting(Drafting drafting, double acceptanceThreshold) {}

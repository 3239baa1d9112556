package dev.outrider.training;

/// What a gradient is computed of at once.
sealed interface Batch permits TokenRows, VisitedRows, VerifiedRows {}

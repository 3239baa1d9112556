package dev.outrider.training;

import dev.outrider.training.VisitedRows.VerifiedRows;

/// What a gradient is computed of at once.
sealed interface Batch permits TokenRows, VerifiedRows {}

/// Predicts tokens per round without running a round: the expected number of rounds for a text that the target has
/// written, from both distributions along that text (docs/guide/laboratory.md). It is part of the engine because it calls the engine's own rules
/// and sessions, and because experiments and trainers both use it.
@NullMarked
package dev.outrider.engine.prediction;

import org.jspecify.annotations.NullMarked;

/// Tokens per round foretold without a single round: how many rounds a drafter would need to write a text that the target has
/// written, from both distributions along that text (docs/guide/laboratory.md). It stands with the engine because it asks the engine's own rules
/// and sessions, and because experiments and trainers both put it to use.
@NullMarked
package dev.outrider.engine.prediction;

import org.jspecify.annotations.NullMarked;

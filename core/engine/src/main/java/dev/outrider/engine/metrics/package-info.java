/// Sums over decode events: acceptance, tokens per round, times of stages.
@NullMarked
package dev.outrider.engine.metrics;

import org.jspecify.annotations.NullMarked;

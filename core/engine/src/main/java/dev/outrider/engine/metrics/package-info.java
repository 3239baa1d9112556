/// What decode events add up to: acceptance, tokens per round, where the time went.
@NullMarked
package dev.outrider.engine.metrics;

import org.jspecify.annotations.NullMarked;

/// Randomness that is never used twice: streams keyed by the decision they are for, and draws from them.
@NullMarked
package dev.outrider.engine.random;

import org.jspecify.annotations.NullMarked;

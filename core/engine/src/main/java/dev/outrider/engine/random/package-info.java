/// Randomness that is never used twice: streams keyed by what they decide, and draws from them.
@NullMarked
package dev.outrider.engine.random;

import org.jspecify.annotations.NullMarked;

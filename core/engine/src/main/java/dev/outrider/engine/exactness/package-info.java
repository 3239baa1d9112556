/// Evidence that a decoder's output follows its target's distribution: exact distributions of a few tokens against many
/// generations, and every token of long generations against the distribution at its own place.
@NullMarked
package dev.outrider.engine.exactness;

import org.jspecify.annotations.NullMarked;

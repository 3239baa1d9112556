/// The target's probabilities of texts that exist already.
@NullMarked
package dev.outrider.engine.scoring;

import org.jspecify.annotations.NullMarked;

/// The way from logits to a distribution, and the source of random decisions.
@NullMarked
package dev.outrider.spi.sampling;

import org.jspecify.annotations.NullMarked;

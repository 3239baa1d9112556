/// How logits become a distribution, and where random decisions come from.
@NullMarked
package dev.outrider.spi.sampling;

import org.jspecify.annotations.NullMarked;

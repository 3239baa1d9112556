/// Contracts of Outrider: what a drafter, an acceptance rule and a target promise one another.
@NullMarked
package dev.outrider.spi;

import org.jspecify.annotations.NullMarked;

/// Adaptive n-grams: a store of contexts and their successors that fills itself while the target writes.
@NullMarked
package dev.outrider.drafter.lookup.adaptive;

import org.jspecify.annotations.NullMarked;

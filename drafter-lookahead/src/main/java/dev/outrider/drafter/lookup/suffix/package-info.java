/// Suffix automaton: the longest suffix of the text that occurred before, of any length, found online.
@NullMarked
package dev.outrider.drafter.lookup.suffix;

import org.jspecify.annotations.NullMarked;

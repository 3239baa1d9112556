/// Adds the lookup drafters: prompt lookup, suffix automaton, token recycling, n-gram tables.
@NullMarked
package dev.outrider.drafter.lookup;

import org.jspecify.annotations.NullMarked;

/// Adds the drafters that look things up: prompt lookup, suffix automaton, token recycling, n-gram tables.
@NullMarked
package dev.outrider.drafter.lookup;

import org.jspecify.annotations.NullMarked;

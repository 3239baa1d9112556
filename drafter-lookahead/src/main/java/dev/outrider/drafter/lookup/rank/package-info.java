/// What drafters share that remember likely successors by rank, and draft static trees of ranks from them.
@NullMarked
package dev.outrider.drafter.lookup.rank;

import org.jspecify.annotations.NullMarked;

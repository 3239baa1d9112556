/// What drafters share that guess from the committed tokens alone.
@NullMarked
package dev.outrider.drafter.lookup.history;

import org.jspecify.annotations.NullMarked;

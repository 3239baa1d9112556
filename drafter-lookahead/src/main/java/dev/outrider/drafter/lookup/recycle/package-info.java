/// Token recycling: successors that the target thought likely once are guessed again.
@NullMarked
package dev.outrider.drafter.lookup.recycle;

import org.jspecify.annotations.NullMarked;

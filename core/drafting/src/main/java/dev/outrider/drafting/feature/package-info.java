/// Drafting from the target's features, the common code of every drafter whose network reads them: the input of the draft layer in
/// a round, the cache entries that stay, and the states that guesses pass on.
@NullMarked
package dev.outrider.drafting.feature;

import org.jspecify.annotations.NullMarked;

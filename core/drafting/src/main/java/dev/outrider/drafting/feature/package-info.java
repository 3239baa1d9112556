/// Drafting from the target's features, shared by every drafter whose network reads them: what a round feeds the
/// draft layer, which cache entries stay, and how states are passed on from guess to guess.
@NullMarked
package dev.outrider.drafting.feature;

import org.jspecify.annotations.NullMarked;

/// The drafter of Hydra++: heads that read the tokens drafted before, on a decoder layer that attends to all hidden states of
/// the target.
///
/// @see "Ankner et al. 2024 (Hydra), section 4"
@NullMarked
package dev.outrider.drafter.hydraplusplus;

import org.jspecify.annotations.NullMarked;

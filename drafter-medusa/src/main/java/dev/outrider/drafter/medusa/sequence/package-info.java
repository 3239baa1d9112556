/// Heads that read the tokens drafted before their guess: Hydra, and ReDrafter's recurrent head.
///
/// Both read the target's last hidden state and a state that every drafted token changes (`SequenceHeads`). A draft grows step by
/// step, as with a small model. They are trained as Medusa's heads are.
///
/// @see "Ankner et al. 2024 (Hydra); Cheng et al. 2024 (ReDrafter)"
@NullMarked
package dev.outrider.drafter.medusa.sequence;

import org.jspecify.annotations.NullMarked;

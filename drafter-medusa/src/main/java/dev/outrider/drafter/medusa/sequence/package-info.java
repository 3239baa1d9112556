/// Heads that see the tokens drafted before what they guess: Hydra, and ReDrafter's recurrent head.
///
/// Both read the target's last hidden state beside a state that every drafted token goes into (`SequenceHeads`); a draft is grown
/// step by step as a small model's is. They are trained as Medusa's heads are.
///
/// @see "Ankner et al. 2024 (Hydra); Cheng et al. 2024 (ReDrafter)"
@NullMarked
package dev.outrider.drafter.medusa.sequence;

import org.jspecify.annotations.NullMarked;

/// Trains a decoder or an encoder-decoder from scratch, or heads on a frozen decoder: data packing, gradients and AdamW in TorchScript, checkpoints
/// that resume exactly, and export in the Hugging Face layout.
///
/// [Trainer] is the common loop. It trains a [Learner]: parameters and a TorchScript loss over them. Learners that
/// read a target's hidden states or logits get them from [FrozenTarget].
///
/// The data are an endless, ordered stream of documents, or of pairs of a source and its answer, so the state of a run is its parameters, the optimizer's
/// moments, the step, and the number of documents read. There is no state of a random generator.
@NullMarked
package dev.outrider.training;

import org.jspecify.annotations.NullMarked;

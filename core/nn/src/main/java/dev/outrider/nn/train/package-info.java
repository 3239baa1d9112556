/// Trains a decoder from scratch: data packing, gradients and AdamW in TorchScript, checkpoints that resume exactly,
/// and export in the Hugging Face layout.
///
/// The data are an endless, ordered stream of documents, so the state of a run is its parameters, the optimizer's
/// moments, the step, and how many documents were read: nothing else, no generator state.
@NullMarked
package dev.outrider.nn.train;

import org.jspecify.annotations.NullMarked;

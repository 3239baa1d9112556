/// Forward passes of transformers' decoders over a key-value cache: the interfaces and the descriptions of a network. Java's
/// vector code computes the pass (`dev.outrider.nn.vector`); the implementations for a device and PyTorch are in other modules.
///
/// How a checkpoint becomes a network:
///
/// 1. `Checkpoint` is the folder; `ModelConfig.read` turns its `config.json` into a [DecoderConfig], or refuses
///    with their names the parts that the network cannot run.
/// 2. `openTensors` maps the safetensors files into memory and checks their headers; no weight is read yet.
/// 3. [CheckpointWeights] is the [WeightSource] over them: it knows the checkpoint's name of each [Weight] and checks its shape.
///    [RandomWeights] is another source, for benchmarks and tests.
/// 4. `VectorNetwork` copies the weights into the layouts that its products read. The files can be closed after that.
/// 5. A pass takes a [RowBlock] for each sequence: tokens, positions, a [RowMask] and the sequence's [KvCache]. Its rows
///    become scratch rows of the cache; [KvCache#keep] makes some of them committed and drops the others.
///    [PassOutputs] says which logits and hidden states are wanted, [PassResult] holds them until it is closed.
///
/// An encoder-decoder is two stacks ([EncoderDecoderNetwork]): a [BlockForm] is the structure of their blocks, a [Part] says which of
/// the two a stack is. A sequence's cache keeps the source's keys and values for every layer of the decoder.
///
/// A draft layer is the same with a [FusionConfig]: rows have a feature and a token ([FeatureNetwork]). It may share embedding and
/// head with the target's network ([SharedWeights]).
///
/// `LoadedDecoder` in the package of the target does these steps for targets and for drafters with their own models.
@NullMarked
package dev.outrider.nn.network;

import org.jspecify.annotations.NullMarked;

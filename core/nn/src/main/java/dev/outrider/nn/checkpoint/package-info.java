/// Checkpoints on disk: safetensors files, memory-mapped for reading and written atomically, sharded or not,
/// and the directory in the Hugging Face layout that holds them.
///
/// Files are taken for hostile: every length, offset and name is checked before it is used. Pickled weights
/// are never opened, because loading a pickle runs code.
@NullMarked
package dev.outrider.nn.checkpoint;

import org.jspecify.annotations.NullMarked;

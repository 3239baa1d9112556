/// Checkpoints on disk: safetensors files, memory-mapped for reading and written atomically, in one
/// or several files, and the directory in the Hugging Face layout.
///
/// Files are untrusted: every length, offset and name is checked before it is used. Pickled weights
/// are never opened, because loading a pickle runs code.
@NullMarked
package dev.outrider.nn.checkpoint;

import org.jspecify.annotations.NullMarked;

/// GGUF files: their header, their number formats, and the numbers in their blocks. Files are
/// untrusted, like every checkpoint.
@NullMarked
package dev.outrider.nn.gguf;

import org.jspecify.annotations.NullMarked;

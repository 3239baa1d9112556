/// GGUF files: their header, their number formats, and the numbers that blocks stand for. Taken for hostile, like every file.
@NullMarked
package dev.outrider.nn.gguf;

import org.jspecify.annotations.NullMarked;

/// Reads a checkpoint's `config.json` in the spellings of every family, and writes it
/// (docs/decisions/0056).
@NullMarked
package dev.outrider.nn.architecture;

import org.jspecify.annotations.NullMarked;

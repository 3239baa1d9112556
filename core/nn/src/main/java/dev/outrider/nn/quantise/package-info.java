/// Writes quantised checkpoints from others (docs/decisions/0052).
@NullMarked
package dev.outrider.nn.quantise;

import org.jspecify.annotations.NullMarked;

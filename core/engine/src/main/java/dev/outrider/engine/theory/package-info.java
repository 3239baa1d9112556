/// Expected tokens and speedups, as formulas.
@NullMarked
package dev.outrider.engine.theory;

import org.jspecify.annotations.NullMarked;

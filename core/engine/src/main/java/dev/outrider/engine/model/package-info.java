/// Expected tokens and speedups, as formulas.
@NullMarked
package dev.outrider.engine.model;

import org.jspecify.annotations.NullMarked;

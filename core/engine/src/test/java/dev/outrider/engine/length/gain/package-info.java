/// Tests of the package.
@NullMarked
package dev.outrider.engine.length.gain;

import org.jspecify.annotations.NullMarked;

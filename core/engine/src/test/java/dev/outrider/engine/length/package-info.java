/// Tests of the package.
@NullMarked
package dev.outrider.engine.length;

import org.jspecify.annotations.NullMarked;

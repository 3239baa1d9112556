/// Tests of the package.
@NullMarked
package dev.outrider.engine.length.tree;

import org.jspecify.annotations.NullMarked;

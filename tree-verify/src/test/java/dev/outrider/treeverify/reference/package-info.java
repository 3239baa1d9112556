/// Reference implementations of the device's kernels: simple loops in double precision.
@NullMarked
package dev.outrider.treeverify.reference;

import org.jspecify.annotations.NullMarked;

/// Twins of the device's kernels: the same results by the plainest loops, in double precision.
@NullMarked
package dev.outrider.treeverify.reference;

import org.jspecify.annotations.NullMarked;

/// Twins of the device's kernels: the same results by the plainest loops, in double precision. What kernels are
/// compared with, in tests and on a user's machine; nothing decodes with them.
@NullMarked
package dev.outrider.treeverify.reference;

import org.jspecify.annotations.NullMarked;

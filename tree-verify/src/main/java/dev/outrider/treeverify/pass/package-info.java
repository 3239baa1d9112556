/// A decoder's passes as a device runs them: which rows, which cache rows, which weights in which order. Knows no
/// device; what runs the kernels is a [dev.outrider.treeverify.pass.DeviceProgram].
@NullMarked
package dev.outrider.treeverify.pass;

import org.jspecify.annotations.NullMarked;

/// A decoder's passes on a device: their rows, their cache rows, and the order of their weights. These classes are independent of
/// devices; a [dev.outrider.treeverify.pass.DeviceProgram] runs the kernels.
@NullMarked
package dev.outrider.treeverify.pass;

import org.jspecify.annotations.NullMarked;

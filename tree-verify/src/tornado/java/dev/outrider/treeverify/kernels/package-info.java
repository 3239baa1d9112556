/// Kernels of a decoder's pass, written in Java and compiled for the device by TornadoVM.
///
/// Every kernel works on the first n rows of a pass, n read from the [dev.outrider.treeverify.pass.PassLayout]; grids do not depend on n. What
/// a row gets is computed by the same instructions in the same order whatever the other rows are, so that a
/// token scored in a tree has the logits it has in plain decoding.
@NullMarked
package dev.outrider.treeverify.kernels;

import org.jspecify.annotations.NullMarked;

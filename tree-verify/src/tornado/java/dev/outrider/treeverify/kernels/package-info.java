/// Kernels of a decoder's pass, written in Java and compiled for the device by TornadoVM.
///
/// Every kernel works on the first n rows of a pass. It reads n from the [dev.outrider.treeverify.pass.PassLayout]; grids do not
/// depend on n. A row's result is computed by the same instructions in the same order for any other rows, so that a token in a
/// tree has the same logits as in plain decoding.
@NullMarked
package dev.outrider.treeverify.kernels;

import org.jspecify.annotations.NullMarked;

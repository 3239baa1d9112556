/// PyTorch (through DJL): its runtime, TorchScript programs, the network that training runs with gradients and the target
/// `djl` runs with caches, and that target.
@NullMarked
package dev.outrider.torch;

import org.jspecify.annotations.NullMarked;

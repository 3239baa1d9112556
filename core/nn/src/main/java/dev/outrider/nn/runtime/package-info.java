/// The tensor engine: how it is started, and how code that its array interface does not reach is run.
///
/// The engine's public arrays know no bfloat16: creating or converting one ends the JVM. This package therefore
/// keeps bfloat16 behind [Tensor], which has no arithmetic, and computes in [TorchScript] generated from Java.
@NullMarked
package dev.outrider.nn.runtime;

import org.jspecify.annotations.NullMarked;

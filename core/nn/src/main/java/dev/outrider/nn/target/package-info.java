/// Targets: a decoder network behind the contracts of [dev.outrider.spi.target.TargetModel].
@NullMarked
package dev.outrider.nn.target;

import org.jspecify.annotations.NullMarked;

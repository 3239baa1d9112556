/// Targets: decoder networks that implement [dev.outrider.spi.target.TargetModel].
@NullMarked
package dev.outrider.nn.target;

import org.jspecify.annotations.NullMarked;

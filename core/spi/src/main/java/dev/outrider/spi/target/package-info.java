/// The model whose distribution the output follows.
@NullMarked
package dev.outrider.spi.target;

import org.jspecify.annotations.NullMarked;

/// Token trees, and the verdict on one: a path and the token that follows it.
@NullMarked
package dev.outrider.spi.tree;

import org.jspecify.annotations.NullMarked;

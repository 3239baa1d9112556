@NullMarked
package dev.outrider.nn.heads;

import org.jspecify.annotations.NullMarked;

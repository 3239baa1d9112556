/// Measures how close a network's passes come to the limit of the machine's memory.
@NullMarked
package dev.outrider.nn.bench;

import org.jspecify.annotations.NullMarked;

/// Measures how near a network's passes come to what the machine's memory allows.
@NullMarked
package dev.outrider.nn.bench;

import org.jspecify.annotations.NullMarked;

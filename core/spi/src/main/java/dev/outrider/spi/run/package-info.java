/// Events of decoding, listeners for them, and policies for draft lengths.
@NullMarked
package dev.outrider.spi.run;

import org.jspecify.annotations.NullMarked;

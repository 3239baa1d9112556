/// What happens while sequences are decoded, and who follows or steers it.
@NullMarked
package dev.outrider.spi.run;

import org.jspecify.annotations.NullMarked;

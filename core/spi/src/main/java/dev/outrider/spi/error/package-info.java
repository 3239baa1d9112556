/// Failures a user can act on, and their codes.
@NullMarked
package dev.outrider.spi.error;

import org.jspecify.annotations.NullMarked;

/// Annotations on configuration records.
@NullMarked
package dev.outrider.spi.config;

import org.jspecify.annotations.NullMarked;

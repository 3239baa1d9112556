/// Small utilities for every module except the SPI. JDK only; nothing here knows about models.
@NullMarked
package dev.outrider.common;

import org.jspecify.annotations.NullMarked;

/// Small pieces every module but the SPI may use. JDK only; nothing here knows about models.
@NullMarked
package dev.outrider.common;

import org.jspecify.annotations.NullMarked;

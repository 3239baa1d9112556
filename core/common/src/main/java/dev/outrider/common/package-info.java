/// Small utilities for every module except the SPI. They use the JDK only, and nothing about models.
@NullMarked
package dev.outrider.common;

import org.jspecify.annotations.NullMarked;

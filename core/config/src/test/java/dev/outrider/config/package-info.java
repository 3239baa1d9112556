/// Tests of configuration reading.
@NullMarked
package dev.outrider.config;

import org.jspecify.annotations.NullMarked;

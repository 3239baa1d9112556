@NullMarked
package dev.outrider.serving;

import org.jspecify.annotations.NullMarked;

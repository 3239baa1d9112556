@NullMarked
package dev.outrider.hub;

import org.jspecify.annotations.NullMarked;

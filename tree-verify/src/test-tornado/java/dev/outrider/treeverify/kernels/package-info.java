@NullMarked
package dev.outrider.treeverify.kernels;

import org.jspecify.annotations.NullMarked;

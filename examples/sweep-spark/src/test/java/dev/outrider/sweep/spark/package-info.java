@NullMarked
package dev.outrider.sweep.spark;

import org.jspecify.annotations.NullMarked;

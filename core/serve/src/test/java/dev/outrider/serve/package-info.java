@NullMarked
package dev.outrider.serve;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.outrider.drafter.hydraplusplus;

import org.jspecify.annotations.NullMarked;

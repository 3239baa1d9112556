@NullMarked
package dev.outrider.treeverify.model;

import org.jspecify.annotations.NullMarked;

@NullMarked
package dev.outrider.langchain4j;

import org.jspecify.annotations.NullMarked;

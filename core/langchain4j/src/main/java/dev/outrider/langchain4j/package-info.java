/// A chat model of LangChain4j over a generator of [dev.outrider.embedding], in the same process.
@NullMarked
package dev.outrider.langchain4j;

import org.jspecify.annotations.NullMarked;

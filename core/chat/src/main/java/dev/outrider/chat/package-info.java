/// Conversations as the text a model was trained to read, by the chat template that came with it.
@NullMarked
package dev.outrider.chat;

import org.jspecify.annotations.NullMarked;

/// Conversations as the text a model was trained to read, by the chat template that came with it.
@NullMarked
package dev.outrider.nn.chat;

import org.jspecify.annotations.NullMarked;

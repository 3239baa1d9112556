/// Converts conversations to the text format that a model was trained on, by the chat template of
/// its checkpoint.
@NullMarked
package dev.outrider.chat;

import org.jspecify.annotations.NullMarked;

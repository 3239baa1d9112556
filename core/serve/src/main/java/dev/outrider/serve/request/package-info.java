/// The requests of clients: bodies in OpenAI's form, read into requests of the serving engine. Every field is checked here.
@NullMarked
package dev.outrider.serve.request;

import org.jspecify.annotations.NullMarked;

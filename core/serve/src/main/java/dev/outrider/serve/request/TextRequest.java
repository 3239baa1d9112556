package dev.outrider.serve.request;

import dev.outrider.serving.ServingRequest;
import java.util.List;
import java.util.Optional;

/// A client's request, read and checked.
///
/// @param model    the name from the request, for the answer
/// @param texts    to be written: `choices` for each prompt, in this order
/// @param choices  texts for each prompt
/// @param chat     whether it is a conversation
/// @param echo     whether the prompt is part of the answer
/// @param scored   whether log probabilities are part of the answer
/// @param ids      whether token ids are part of the answer, as vLLM's `return_token_ids` has them
/// @param stream   settings of the stream; empty sends the answer as a whole
/// @param ignored  names of fields that were not read
public record TextRequest(
        String model,
        List<Text> texts,
        int choices,
        boolean chat,
        boolean echo,
        boolean scored,
        boolean ids,
        Optional<Streaming> stream,
        List<String> ignored) {
    /// Copies the lists.
    public TextRequest {
        texts = List.copyOf(texts);
        ignored = List.copyOf(ignored);
    }

    /// One text.
    ///
    /// @param prompt  the text from the request, or the text of its token ids
    /// @param request the engine's request
    public record Text(String prompt, ServingRequest request) {}

    /// The settings of a stream.
    ///
    /// @param usage      whether the last piece has the usage
    /// @param continuous whether every piece has the usage
    public record Streaming(boolean usage, boolean continuous) {}
}

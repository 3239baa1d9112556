package dev.outrider.serve.request;

import dev.outrider.serving.ServingRequest;
import java.util.List;
import java.util.Optional;

/// A client's request, read and checked.
///
/// @param model    the name that the client used, for the answer
/// @param texts    to be written: `choices` for each prompt, in this order
/// @param choices  texts for each prompt
/// @param chat     whether it is a conversation
/// @param echo     whether the prompt is part of the answer
/// @param scored   whether log probabilities are part of the answer
/// @param ids      whether token ids are part of the answer, as vLLM's `return_token_ids` has them
/// @param stream   how it is sent piece by piece; empty sends it whole
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
    /// @param prompt  as the client gave it or, of token ids, their text
    /// @param request what the engine does
    public record Text(String prompt, ServingRequest request) {}

    /// How an answer is sent piece by piece.
    ///
    /// @param usage      whether the last piece has the usage
    /// @param continuous whether every piece has
    public record Streaming(boolean usage, boolean continuous) {}
}

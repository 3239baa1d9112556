package dev.outrider.experiment.run;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.engine.decode.RequestLimits;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.ChatFormatter;
import dev.outrider.spi.target.TargetModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Turns texts into token ids: with or without the target's chat template, and every turn of a conversation after the target's
/// own answers to the turns before it.
///
/// Plain decoding writes the answers at temperature 0, once for all variants, so that every variant continues the same text.
///
/// @param answerTokens most tokens of an answer before a later turn
public record PromptEncoder(TargetModel target, int answerTokens) {
    /// Returns the prompts of an experiment, in the order of the run.
    ///
    /// @throws OutriderException what reading them throws; CAPABILITY_MISSING if the target cannot format the conversation;
    ///                           SOURCE_UNEXPECTED if there is a source and no encoder
    public List<Prompt> encode(PromptSource from) {
        List<PromptText> texts = PromptReader.read(from);
        texts.forEach(this::requireReader);
        return switch (from) {
            case PromptSource.Texts _ -> texts.stream().map(this::encode).toList();
            case PromptSource.FromFile file -> {
                requireConversations(file);
                var writer = writer(file.template());
                yield switch (file.turns()) {
                    case FIRST -> texts.stream().map(text -> first(text, writer)).toList();
                    case ALL -> texts.stream().flatMap(text -> all(text, writer)).toList();
                };
            }
        };
    }

    /// The first turn of a text, and its source.
    public Prompt encode(PromptText text) {
        return Prompt.of(
                text.id(), text.kind(), EncodedPrompt.of(target, text.source(), text.first()));
    }

    private Prompt first(PromptText text, Optional<ChatFormatter> chat) {
        return chat.isEmpty()
                ? encode(text)
                : prompt(text.id(), text.kind(), List.of(text.first()), chat);
    }

    /// Requires an encoder for a source: a source is never ignored.
    private void requireReader(PromptText text) {
        if (text.source().isPresent()) {
            try {
                RequestLimits.requireSource(target.description(), encode(text).source());
            } catch (OutriderException e) {
                throw e.within("prompt '%s'".formatted(text.id()));
            }
        }
    }

    /// An encoder-decoder reads one text, not the turns of a conversation.
    private void requireConversations(PromptSource.FromFile file) {
        boolean conversation =
                file.turns() == PromptSource.Turns.ALL
                        || file.template() == PromptSource.Template.CHAT;
        if (conversation && target.description().sources().isPresent()) {
            throw ErrorCode.CAPABILITY_MISSING.error(
                    "target '%s' is an encoder-decoder, which holds no conversations, and prompts has turns: %s and template: %s"
                            .formatted(
                                    target.description().name(),
                                    lower(file.turns()),
                                    lower(file.template())),
                    "Set turns: first and template: none, or choose a target that is a decoder alone.");
        }
    }

    private static String lower(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    private Stream<Prompt> all(PromptText text, Optional<ChatFormatter> chat) {
        if (text.turns().size() <= 1) {
            return Stream.of(first(text, chat));
        }
        List<Prompt> prompts = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        for (String turn : text.turns()) {
            if (!prompts.isEmpty()) {
                messages.add(answer(prompts.getLast()));
            }
            messages.add(turn);
            String id = text.id() + "/" + (prompts.size() + 1);
            prompts.add(prompt(id, text.kind(), messages, chat));
        }
        return prompts.stream();
    }

    private Prompt prompt(
            String id, String kind, List<String> messages, Optional<ChatFormatter> chat) {
        return Prompt.of(
                id,
                kind,
                chat.map(each -> EncodedPrompt.ofChat(target, each.format(messages)))
                        .orElseGet(() -> EncodedPrompt.of(target, String.join("\n", messages))));
    }

    private String answer(Prompt prompt) {
        var request = prompt.request(answerTokens, SamplingPolicy.argmax(), List.of(), false);
        return Decoder.plain(target, new GreedyRule(), () -> 0)
                .decode(request, RandomnessSource.of(new KeyedRandomStreams(0, 0)))
                .text();
    }

    private Optional<ChatFormatter> writer(PromptSource.Template template) {
        return switch (template) {
            case NONE -> Optional.empty();
            case CHAT ->
                    Optional.of(
                            target.capability(ChatFormatter.class)
                                    .orElseThrow(() ->
                                            ErrorCode.CAPABILITY_MISSING.error(
                                                    "target '%s' has no chat template, and prompts.template is chat"
                                                            .formatted(target.description().name()),
                                                    "Set prompts.template: none, or choose a target with a chat template.")));
        };
    }
}

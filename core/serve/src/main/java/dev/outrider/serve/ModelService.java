package dev.outrider.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.engine.decode.EncodedPrompt;
import dev.outrider.serve.request.JsonFields;
import dev.outrider.serve.request.RequestReader;
import dev.outrider.serve.request.ServedTarget;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/// `/v1/models`, one of them, and the tokenizer: `/tokenize`, `/detokenize`, `/tokenizer_info`.
final class ModelService implements HttpService {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ServedTarget served;
    private final RequestReader reader;
    private final long started;

    ModelService(ServedTarget served, RequestReader reader, InstantSource clock) {
        this.served = served;
        this.reader = reader;
        this.started = clock.instant().getEpochSecond();
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get(
                "/v1/models",
                Exchange.of((_, response) -> {
                    var list = JSON.objectNode();
                    list.put("object", "list");
                    var data = list.putArray("data");
                    served.models().forEach(name -> data.add(model(name)));
                    Exchange.send(response, list);
                }));
        rules.get(
                "/v1/models/{+name}",
                Exchange.of((request, response) -> {
                    var name = request.path().pathParameters().get("name");
                    if (!served.models().contains(name)) {
                        throw served.noModel(name);
                    }
                    Exchange.send(response, model(name));
                }));
        rules.post(
                "/tokenize",
                Exchange.of((request, response) -> {
                    var fields = Exchange.fields(request);
                    var ids = ids(fields);
                    var tokens = JSON.objectNode();
                    tokens.put("count", ids.size());
                    tokens.put("max_model_len", served.description().maxPositions());
                    var list = tokens.putArray("tokens");
                    ids.forEach(list::add);
                    if (fields.flag("return_token_strs", false)) {
                        var pieces = tokens.putArray("token_strs");
                        ids.forEach(id -> pieces.add(served.target().tokenizer().piece(id)));
                    }
                    Exchange.ignored(response, fields.ignored());
                    Exchange.send(response, tokens);
                }));
        rules.post(
                "/detokenize",
                Exchange.of((request, response) -> {
                    var fields = Exchange.fields(request);
                    fields.any("model");
                    var ids = reader.tokens("tokens", fields.required("tokens"));
                    var text = JSON.objectNode();
                    text.put(
                            "prompt",
                            served.target()
                                    .tokenizer()
                                    .decode(ids.stream().mapToInt(Integer::intValue).toArray()));
                    Exchange.ignored(response, fields.ignored());
                    Exchange.send(response, text);
                }));
        rules.get(
                "/tokenizer_info",
                Exchange.of((_, response) -> {
                    var tokenizer = served.target().tokenizer();
                    var info = JSON.objectNode();
                    info.put("tokenizer_class", "Outrider");
                    info.put("vocab_size", tokenizer.vocabularySize());
                    info.put("model_max_length", served.description().maxPositions());
                    info.put("digest", tokenizer.digest());
                    info.putNull("chat_template"); // conversations are written here: /tokenize with
                    // messages
                    var end = served.description().endOfSequence().stream().sorted().findFirst();
                    end.ifPresentOrElse(
                            id -> info.put("eos_token", tokenizer.piece(id)),
                            () -> info.putNull("eos_token"));
                    int[] begin = tokenizer.encode("", true);
                    if (begin.length > 0) {
                        info.put("bos_token", tokenizer.piece(begin[0]));
                    } else {
                        info.putNull("bos_token");
                    }
                    info.putNull("pad_token");
                    Exchange.send(response, info);
                }));
    }

    private ObjectNode model(String name) {
        var model = JSON.objectNode();
        model.put("id", name);
        model.put("object", "model");
        model.put("created", started);
        model.put("owned_by", "outrider");
        model.put("root", served.name());
        model.put("max_model_len", served.description().maxPositions());
        return model;
    }

    /// The ids of a text, or of a conversation.
    private List<Integer> ids(JsonFields fields) {
        fields.any("model");
        if (fields.any("messages").isPresent()) {
            return EncodedPrompt.ofChat(served.target(), reader.conversation(fields)).ids();
        }
        fields.required("prompt");
        var text = fields.text("prompt").orElseThrow();
        boolean special = fields.flag("add_special_tokens", true);
        return Arrays.stream(served.target().tokenizer().encode(text, special)).boxed().toList();
    }
}

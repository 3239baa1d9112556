package dev.outrider.cli;

import dev.outrider.hub.HubName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// The command `outrider pull`.
@Command(
        name = "pull",
        description = {
            "Fetches a model from the Hugging Face hub, or brings it up to date.",
            "",
            "Fetched is what a run needs and nothing else: configuration, tokenizer, chat template, and the weights as safetensors"
                    + " or the one GGUF file that is named; never pickles. Sizes and hashes are checked. What was broken off goes on"
                    + " where it stopped.",
            "",
            "Files go into the hub's own cache, which other programs use too. Everywhere a configuration or an option takes the"
                    + " path of a model, it takes such a name as well and fetches what is missing; a model that is there is not"
                    + " asked for again, and 'pull' is what moves a branch on.",
            "",
            "Variables: HF_HOME or HF_HUB_CACHE (where the cache is), HF_TOKEN (for models that are not for everybody; else the"
                    + " file HF_HOME/token), HF_ENDPOINT (another hub), HF_HUB_OFFLINE=1 (ask nobody), https_proxy, no_proxy."
        },
        footer = {
            "  outrider pull hf://EleutherAI/pythia-160m",
            "  outrider pull EleutherAI/pythia-160m@step1000",
            "  outrider pull hf://ORG/NAME-GGUF/NAME.Q4_K_M.gguf"
        })
final class PullCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(
            paramLabel = "NAME",
            description =
                    "hf://ORG/NAME[@REVISION][/FILE.gguf], with or without hf://; a '/' in the revision is written %%2F.")
    private String name = "";

    PullCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        var pulled = context.pull(HubName.isName(name) ? name : HubName.SCHEME + name);
        if (pulled.isEmpty()) {
            context.err().println("Interrupted; the same command goes on from here.");
            return ExitCode.INTERRUPTED;
        }
        var snapshot = pulled.get();
        context.out().printf("%s is %s%n", snapshot.name(), snapshot.commit());
        context.out().println(snapshot.path());
        return ExitCode.OK;
    }
}

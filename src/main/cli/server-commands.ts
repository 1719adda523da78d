import { type Command, Option } from "commander";
import { withAccess } from "./access-flags.ts";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { withModels, withServerLimits } from "./common-flags.ts";
import { withEngineChoice } from "./engine-flags.ts";
import { withFaults } from "./fault-flags.ts";
import { parseFlags, serveFlags, webFlags } from "./flags.ts";
import { helpAfter } from "./help-text.ts";
import { withMcpJudge } from "./judge-flags.ts";

const examples = {
  serve: `
Any client of the OpenAI API can use the server: its base URL is the printed address with /v1 at the end; for tests that
share the server, /scope/NAME/v1 keeps each apart. The clients of Anthropic and Gemini take the address as it is. Every request needs the key. SHEAF_API_KEY keeps the key out of the list of processes, where --api-key can be read. A key that
the server made itself is printed once, and kept in the system's keychain, or in a file under SHEAF_PASSPHRASE.

Examples:
  sheaf serve --port 0 --ephemeral --json      for a test: reads the address and the key from the first line
  sheaf serve --no-auth --cors '*'             for pages and clients without a key, on this machine alone
  sheaf serve --host 0.0.0.0 --api-key KEY     for containers and other computers: 16 characters or more
  sheaf serve --pace realistic --seed 7        the latencies of a hosted model, the same answers every time
  sheaf serve --dialect openai                 integers for all times, as strict clients expect
  sheaf serve --models models.yaml             other models than the built-in four (docs/mock-server.md)
  sheaf serve --any-model                      whatever models the clients of a test name
  sheaf serve --tier free                      1 direct call a minute, 2 at a time, 32k of context
  sheaf serve --no-rate-limit                  as many direct calls as a test likes
  sheaf serve --clock-speed 3600               an hour in a second: windows end, files expire
  sheaf serve --rules rules.yaml               answers by rules (docs/scripted-rules.md)
  sheaf serve --rules recordings/ --replay strict    what was recorded, and nothing that was made up
  sheaf serve --failure-rate 0.05 --failure-statuses 500,503 --latency 200
  sheaf serve --upstream-url http://127.0.0.1:11434/v1 --upstream-model '*=llama3.2'

Exit codes: 0 stopped by a signal, 1 could not start (port in use, data in use), 2 wrong flags, rules or models with
mistakes (all of them on stderr as file:line: message).`,
  web: `
The address holds a code that works once, for the browser it is opened in.

Examples:
  sheaf web
  sheaf web --no-open --port 8080 --ephemeral

Exit codes: 0 stopped by a signal, 1 could not start (port in use, data in use), 2 wrong flags.`,
} as const;

/** `sheaf serve`. */
export function addServeCommand(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  const serveCommand = withAccess(
    program
      .command("serve")
      .summary("run the mock server")
      .description("Run the service headless: a mock server with the API of the hosted one.")
      .option("--port <N>", "port to listen on, 0 for any free one (default: 4747)"),
  )
    .option(
      "--dialect <NAME>",
      "service or openai: how times and lists look, and whether 131k are 131,072 (default: service)",
    )
    .option("--lenient", "answer what the API would refuse, such as strict schemas that are none (default: refuse it)")
    .option("--clock-speed <X>", "seconds of the server's time in one of yours, 0 to stand still (default: 1)")
    .option("--keep <AGE>", "remove batches that ended, and unused files, after 12h, 30d or 8w (default: keep all)")
    .option(
      "--keep-size <SIZE>",
      "remove the oldest of these where all files take more, such as 20gb (default: keep all)",
    );
  withServerLimits(withModels(withStorage(withMcpJudge(serveCommand)))).option(
    "--json",
    'print one JSON object first: {"url", "apiKey", "pid"}',
  );
  withFaults(withEngineChoice(serveCommand))
    .addHelpText("after", helpAfter(examples.serve))
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(serveFlags, given);
      const { serve } = await import("./commands/serve.ts");
      finish(await serve(flags, io));
    });
}

/** `sheaf web`. */
export function addWebCommand(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  withStorage(withMockEngine(program.command("web")))
    .summary("open the app in the browser")
    .description("Run the app in the browser instead of a window of its own.")
    .option("--port <N>", "port to listen on, 0 for any free one (default: 4700 or the next that is free)")
    .option("--model-ports <LIST>", "where to look for models on this computer: ollama=11500,llama-cpp=8081")
    .option("--no-open", "print the address, open nothing")
    .option("--json", 'print one JSON object first and open nothing: {"url", "pid"}')
    .addHelpText("after", helpAfter(examples.web))
    .action(async (given: Record<string, unknown>) => {
      const flags = parseFlags(webFlags, given);
      const { web } = await import("./commands/web.ts");
      finish(await web(flags, io));
    });
}

function withMockEngine(command: Command): Command {
  return command
    .option("--engine <NAME>", "what answers: mock (default: mock)")
    .option("--pace <PACE>", "instant, realistic or milliseconds per answer (default: realistic)")
    .option("--seed <N>", "same seed and request, same answer (default: 1)");
}

function withStorage(command: Command): Command {
  return command
    .option("--data-dir <DIR>", "folder for files and batches (default: Sheaf's own in your home folder)")
    .addOption(
      new Option("--ephemeral", "keep everything in a temporary folder that is removed at the end").conflicts(
        "dataDir",
      ),
    )
    .option("--adopt", "where the journal of the data folder is lost: register the uploads in it again")
    .option(
      "--durability <WHEN>",
      "when answers outlive a power cut: always, second or never (default: second; docs/storage.md)",
    )
    .option(
      "--secrets <PLACE>",
      "where keys are kept: keychain, file, memory, or auto for the best of them (default: SHEAF_SECRETS, else auto)",
    );
}

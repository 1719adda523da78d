import { type Command, Option } from "commander";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { collect } from "./engine-flags.ts";
import { connectionFlags, createJobFlags, createResolveFlags, parseFlags, submitFlags } from "./flags.ts";
import { helpAfter } from "./help-text.ts";

const examples = {
  connections: `
Connections are shared with the app. A key goes to the system's keychain, or stays in the variable that --key-env names;
nothing prints it again.

Examples:
  sheaf connections add Ollama --preset ollama
  sheaf connections add OpenAI --preset openai --key-env OPENAI_API_KEY
  sheaf connections add Mine --adapter chat --url http://127.0.0.1:8000/v1 --model '*=llama-3.3-70b' --concurrency 64
  sheaf connections test Ollama
  sheaf connections test Mine --ask llama-3.3-70b    sends one request of at most 1 token

Exit codes: 0 done, and all that the connection needs works; 1 something that it needs does not; 2 wrong flags or name.`,
  submit: `
The batch's id is the only thing on stdout. The service works on while nothing runs here; sheaf fetch has the answers.

Examples:
  sheaf submit batch.jsonl --connection OpenAI --first 1000
  id=$(sheaf submit batch.jsonl --connection OpenAI)
  sheaf status "$id"
  sheaf fetch "$id" -o answers.jsonl --wait

Exit codes: 0 all of it is at the service, 1 it could not be sent, 2 wrong flags, or FILE does not validate.`,
  jobs: `
Examples:
  sheaf status                                 all jobs of the command line
  sheaf status batch_0123abcd                  one of them, asked at its service
  sheaf fetch batch_0123abcd -o answers.jsonl --wait
  sheaf retry batch_0123abcd -o answers.jsonl
  sheaf cancel batch_0123abcd
  sheaf resolve batch_0123abcd --send-again    after a create whose answer was lost

Exit codes: 0 done; of fetch: all requests were answered; 1 something failed or is still missing; 2 no such job, or wrong
flags.`,
} as const;

/** `sheaf connections …`. */
export function addConnectionCommands(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  const connections = program
    .command("connections")
    .summary("the models that answer for real")
    .description("Add, list, test, change and remove connections to models: chat servers and batch services.")
    .helpCommand(false)
    .addHelpText("after", helpAfter(examples.connections));
  withConnections(connections.command("add"))
    .argument("<NAME>", "what you call it")
    .summary("add a connection")
    .option("--preset <P>", "a known service: ollama, lm-studio, vllm, openai, anthropic, gemini, groq, together …")
    .option("--adapter <A>", "chat, openai-batch, anthropic-batch or gemini-batch (default: the preset's)")
    .option("--url <URL>", "base address, usually with /v1 at the end (default: the preset's)")
    .option(
      "--key-env <VAR>",
      "environment variable that holds the key (default: it is asked for or piped in, and stored)",
    )
    .option("--model <FROM=TO>", "the service's name for a model, *=TO for all; may be repeated", collect)
    .option(
      "--concurrency <N>",
      "calls at a time: of chat all, of batch services the direct ones (default: the preset's)",
    )
    .action(async (name: string, given: Record<string, unknown>) => {
      const { addConnection } = await import("./commands/connections.ts");
      finish(await addConnection(name, parseFlags(connectionFlags, given), io));
    });
  withConnections(connections.command("list"))
    .summary("list the connections, without keys")
    .action(async (given: Record<string, unknown>) => {
      const { listConnections } = await import("./commands/connections.ts");
      finish(await listConnections(parseFlags(connectionFlags, given), io));
    });
  withConnections(connections.command("test"))
    .argument("<NAME>", "its name")
    .summary("say one by one what works; nothing is created")
    .option("--ask [MODEL]", "send one chat of at most 1 token, which may cost, and show what came back")
    .action(async (name: string, given: Record<string, unknown>) => {
      const { tryConnection } = await import("./commands/connections.ts");
      finish(await tryConnection(name, parseFlags(connectionFlags, given), io));
    });
  withConnections(connections.command("key"))
    .argument("<NAME>", "its name")
    .summary("give it another key; jobs that wait for one go on")
    .option(
      "--key-env <VAR>",
      "environment variable that holds the key (default: it is asked for or piped in, and stored)",
    )
    .action(async (name: string, given: Record<string, unknown>) => {
      const { changeKey } = await import("./commands/connections.ts");
      finish(await changeKey(name, parseFlags(connectionFlags, given), io));
    });
  withConnections(connections.command("remove"))
    .argument("<NAME>", "its name")
    .summary("remove a connection and its key")
    .action(async (name: string, given: Record<string, unknown>) => {
      const { removeConnection } = await import("./commands/connections.ts");
      finish(await removeConnection(name, parseFlags(connectionFlags, given), io));
    });
}

/** `sheaf submit`, `status`, `fetch`, `retry`, `resolve`, `cancel`: jobs on connections, which outlive a command. */
export function addJobCommands(program: Command, io: CommandProcess, finish: (code: ExitCode) => void): void {
  withJobs(withRows(program.command("submit")))
    .argument("<FILE>", "batch file, one request per line (JSONL); - is standard input")
    .summary("hand a batch to a batch service")
    .description("Submit a batch file to a connection with batches of its own, print its id and leave.")
    .requiredOption("--connection <NAME>", "a connection of sheaf connections")
    .option("--fresh", "start anew, and not where the same command was stopped")
    .option("--reuse", "take the answers that the same requests have in earlier jobs and in the app")
    .addHelpText("after", helpAfter(examples.submit))
    .action(async (file: string, given: Record<string, unknown>) => {
      const { submit } = await import("./commands/run-on-connection.ts");
      finish(await submit(file, parseFlags(submitFlags, given), io));
    });

  withJobs(program.command("status"))
    .argument("[ID]", "of a batch; all jobs without")
    .summary("how far jobs on connections are")
    .description("List the jobs of the command line, or look at one of them and at its service.")
    .addHelpText("after", helpAfter(examples.jobs))
    .action(async (id: string | undefined, given: Record<string, unknown>) => {
      const flags = parseFlags(createJobFlags(io.machine.wall()), given);
      const { listStatus, showStatus } = await import("./commands/jobs.ts");
      finish(await (id === undefined ? listStatus(flags, io) : showStatus(id, flags, io)));
    });

  const fetchCommand = withJobs(program.command("fetch"));
  fetchCommand
    .argument("<ID>", "of a batch, as sheaf submit and sheaf status say it")
    .summary("write the answers of a job")
    .description("Write the answers that a job has so far, after a look at its service.")
    .option("-o, --output <OUT>", "file for the answers; - is standard output")
    .option("--errors <ERR>", "file for the requests that failed (default: they go to OUT too)")
    .option("--wait", "follow it to its end first")
    .option("--deadline <TIME>", "with --wait: when it still runs at 18:00, after 2h …, ask the rest directly")
    .addHelpText("after", helpAfter(examples.jobs))
    .action(async (id: string, given: Record<string, unknown>) => {
      const { output, ...flags } = parseFlags(createJobFlags(io.machine.wall()), given);
      if (output === undefined) return fetchCommand.error(outputMissing);
      const { fetchAnswers } = await import("./commands/jobs.ts");
      finish(await fetchAnswers(id, { ...flags, output }, io));
    });

  withJobs(program.command("retry"))
    .argument("<ID>", "of a batch")
    .summary("ask again what has no answer")
    .description("Ask the requests of a job again that failed or never ran, and take their answers in.")
    .option("-o, --output <OUT>", "follow it to its end, and write all answers; - is standard output")
    .option("--errors <ERR>", "file for the requests that failed again (default: they go to OUT too)")
    .option("--wait", "follow it to its end, and write nothing")
    .addHelpText("after", helpAfter(examples.jobs))
    .action(async (id: string, given: Record<string, unknown>) => {
      const { retryJob } = await import("./commands/jobs.ts");
      finish(await retryJob(id, parseFlags(createJobFlags(io.machine.wall()), given), io));
    });

  withJobs(program.command("resolve"))
    .argument("<ID>", "of a batch")
    .summary("settle whether a service has a job")
    .description(
      "When the answer to a batch's creation was lost and the batch is not found at its service, nothing is sent again by itself. Say what to do.",
    )
    .option("--send-again", "the service does not have it: send it again; it is paid twice if it does")
    .option("--is <BATCH>", "it is this batch of the service")
    .option("--cancel", "give it up; what is answered stays")
    .addHelpText("after", helpAfter(examples.jobs))
    .action(async (id: string, given: Record<string, unknown>) => {
      const { resolveJob } = await import("./commands/jobs.ts");
      finish(await resolveJob(id, parseFlags(createResolveFlags(io.machine.wall()), given), io));
    });

  withJobs(program.command("cancel"))
    .argument("<ID>", "of a batch")
    .summary("cancel a job")
    .description("Cancel a job, here and at its service. What is answered stays.")
    .addHelpText("after", helpAfter(examples.jobs))
    .action(async (id: string, given: Record<string, unknown>) => {
      const { cancelJob } = await import("./commands/jobs.ts");
      finish(await cancelJob(id, parseFlags(createJobFlags(io.machine.wall()), given), io));
    });
}

const secretsHelp = "where keys are kept: keychain, file, memory or auto (default: SHEAF_SECRETS, else auto)";

/** Commander's own message for a missing required option: -o is required except for a dry run. */
export const outputMissing = "error: required option '-o, --output <OUT>' not specified";

/** Which requests of a file are asked. */
export function withRows(command: Command): Command {
  return command
    .addOption(new Option("--first <N>", "only the first N requests").conflicts("random"))
    .option("--random <N>", "only N requests, chosen by the file's content: the same ones each time")
    .option("--send-pictures <FOLDER>", "send the pictures below it that requests name by a path (default: the path)");
}

/** The flags of all commands about jobs on connections. */
function withJobs(command: Command): Command {
  return command
    .option("--data-dir <DIR>", "folder that the connection and its jobs are kept in (default: the app's)")
    .option("--secrets <PLACE>", secretsHelp)
    .option("--json", "print JSON, and no progress");
}

function withConnections(command: Command): Command {
  return command
    .option("--data-dir <DIR>", "folder with the connections (default: the app's)")
    .option("--secrets <PLACE>", secretsHelp)
    .option("--json", "print JSON");
}

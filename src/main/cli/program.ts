import { Command, Option } from "commander";
import type { ExitCode } from "./cli-error.ts";
import type { CommandProcess } from "./command-process.ts";
import { commands } from "./commands.ts";
import type { CommandFamily, SheafCommand } from "./define-command.ts";
import { engineFlags, engineGroup } from "./engine-flags.ts";
import { type Flag, type FlagTable, spellFlag } from "./flag.ts";
import { helpAfter } from "./help-text.ts";

const examples = `
Examples:
  sheaf serve                                  a mock server on port 4747, its key printed
  sheaf build questions.csv --prompt … -o …    a batch file from a table
  sheaf validate batch.jsonl                   every problem of a file, with its line
  sheaf run batch.jsonl -o answers.jsonl       a whole batch in one go
  sheaf status                                 how far jobs on real models are
  sheaf verify --prompt … --response …         each claim of an answer, with its evidence
  sheaf grade --batch answers.jsonl …          how many answers are the expected ones
  sheaf <command> --help                       all flags of a command
  sheaf help engine                            the flags that choose what answers

In a checkout of the project, sheaf is: npm run -s sheaf --`;

/** What help says of the engine flags in place of listing them. */
const engineFlagsElsewhere =
  "The engine flags (--engine, --rules, --upstream-url …) choose what answers: sheaf help engine.";

/** The `sheaf` command: flags and help. The code of a command is loaded only when it runs. */
export function createProgram(version: string, io: CommandProcess, finish: (code: ExitCode) => void): Command {
  const program = new Command("sheaf")
    .description("Build, run, read and verify batches of chat-completion requests on one machine.")
    .version(version, "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .addHelpText("after", helpAfter(examples))
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });

  const add = (parent: Command, about: SheafCommand | CommandFamily) => {
    const command = parent.command(about.name).summary(about.summary);
    if (about.description !== undefined) command.description(about.description);
    if ("commands" in about) {
      command.helpCommand(false);
      for (const one of about.commands) add(command, one);
    } else {
      for (const [name, help] of Object.entries(about.arguments ?? {})) command.argument(name, help);
      addFlags(command, about.flags);
      command.action(async (...given) => {
        const [flags, ...args] = given.slice(0, -1).reverse();
        finish(await about.run(flags, io, args.reverse()));
      });
      if (takesEngine(about)) command.addHelpText("after", helpAfter(engineFlagsElsewhere));
    }
    if (about.details !== undefined) command.addHelpText("after", helpAfter(about.details));
  };
  for (const about of commands) add(program, about);

  return program
    .command("help [TOPIC...]")
    .summary("show the help of a command, or of the engine flags")
    .action((topics: string[]) => showHelp(program, topics)).parent as Command;
}

/** Whether a command can be answered by any engine. */
function takesEngine({ flags }: Pick<SheafCommand, "flags">): boolean {
  return Object.values(flags).some(({ group }) => group === engineGroup);
}

function addFlags(command: Command, flags: FlagTable): void {
  for (const [name, row] of Object.entries(flags)) {
    command.addOption(toOption(name, row).hideHelp(row.group === engineGroup));
  }
}

function toOption(name: string, row: Flag): Option {
  const option = new Option(spellFlag(name, row), row.help).makeOptionMandatory(row.isRequired);
  if (row.group !== undefined) option.helpGroup(row.group);
  if (row.conflicts !== undefined) option.conflicts(row.conflicts);
  if (row.repeats) option.argParser((value, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}

function showHelp(program: Command, topics: readonly string[]): void {
  const [first] = topics;
  if (first === "engine") {
    createEngineTopic(program).outputHelp();
    return;
  }
  let command = program;
  for (const topic of topics) {
    const next = command.commands.find((one) => one.name() === topic);
    if (next === undefined) program.error(`error: unknown command '${topics.join(" ")}'`);
    else command = next;
  }
  command.outputHelp();
}

/** The page of the engine flags. */
function createEngineTopic(program: Command): Command {
  const takers = commands.filter((about) => "flags" in about && takesEngine(about)).map(({ name }) => name);
  const topic = new Command("sheaf")
    .copyInheritedSettings(program)
    .usage(`${takers.join("|")} [engine flags]`)
    .description(
      "What answers requests. --rules alone means --engine scripted, and --upstream-url alone means --engine upstream.",
    )
    .helpOption(false);
  for (const [name, row] of Object.entries(engineFlags)) topic.addOption(toOption(name, row));
  return topic;
}

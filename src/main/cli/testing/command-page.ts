import { commands } from "../commands.ts";
import type { CommandFamily, SheafCommand } from "../define-command.ts";
import { engineFlags, engineGroup } from "../engine-flags.ts";
import { type FlagTable, spellFlag } from "../flag.ts";
import { serveFlags } from "../server-flags.ts";

/** docs/cli.md: every command with its flags. */
export function writeCommandPage(): string {
  return `# Command line

For people who use \`sheaf\` in a terminal or a script. It lists every command and every flag, and is made from the same tables as \`sheaf <command> --help\`.
In a checkout of the project, \`sheaf\` is \`npm run -s sheaf --\`.

${commands.flatMap((about) => writeSection(about)).join("\n\n")}

## Engine flags

They choose what answers requests. \`--rules\` alone means \`--engine scripted\`, and \`--upstream-url\` alone means \`--engine upstream\`.
[The mock server](mock-server.md#engines) explains the engines.

${writeTable(engineFlags)}
`;
}

/** The flags of `sheaf serve`, for the README of the package. */
export function writeServeFlags(): string {
  return writeTable(serveFlags);
}

function writeSection(about: SheafCommand | CommandFamily, parent = ""): string[] {
  const name = `${parent}${about.name}`;
  const heading = `${parent === "" ? "##" : "###"} sheaf ${name}`;
  const own = [
    heading,
    about.description ?? `${capitalize(about.summary)}.`,
    ...("flags" in about ? writeUsage(name, about) : []),
  ];
  const details = about.details === undefined ? [] : [writeDetails(about.details)];
  const members = "commands" in about ? about.commands.flatMap((one) => writeSection(one, `${about.name} `)) : [];
  return [...own, ...details, ...members];
}

function writeUsage(name: string, { flags, arguments: given = {} }: SheafCommand): string[] {
  const places = Object.entries(given);
  const usage = ["sheaf", name, ...places.map(([place]) => place), "[flags]"].join(" ");
  const own = Object.fromEntries(Object.entries(flags).filter(([, { group }]) => group !== engineGroup));
  const takesEngine = Object.keys(own).length < Object.keys(flags).length;
  return [
    `    ${usage}`,
    ...(places.length === 0 ? [] : [places.map(([place, help]) => `- \`${place}\`: ${help}`).join("\n")]),
    writeTable(own),
    ...(takesEngine ? ["It takes the [engine flags](#engine-flags), too."] : []),
  ];
}

function writeTable(flags: FlagTable): string {
  const rows = Object.entries(flags).map(([name, row]) => {
    return `| \`${spellFlag(name, row)}\` | ${escapeText(row.help)}${row.isRequired ? " (required)" : ""} |`;
  });
  return ["| flag | |", "| --- | --- |", ...rows].join("\n");
}

/** Paragraphs stay paragraphs; examples and lists of terms keep their columns. */
function writeDetails(details: string): string {
  const blocks = details.trim().split("\n\n");
  return blocks
    .map((block) => {
      const lines = block.split("\n");
      const start = lines.findIndex((line) => line.startsWith("  "));
      if (start < 0) return escapeText(block);
      const code = ["```text", ...lines.slice(start).map((line) => line.slice(2)), "```"].join("\n");
      return start === 0 ? code : `${escapeText(lines.slice(0, start).join("\n"))}\n\n${code}`;
    })
    .join("\n\n");
}

/** What a table, a tag or a template would take for its own. */
function escapeText(text: string): string {
  return text.replace(/[|<*_]/g, "\\$&");
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

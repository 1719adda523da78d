import type { AddHelpTextContext, Help } from "commander";

/** Terms that are longer have their description on the next line: what is left beside them is wrapped from 40 columns on. */
const longestTerm = 36;
const [indent, deeper] = ["  ", "    "];

/**
 * Lays what follows the options of a command out as wide as these. Lines of a paragraph are joined and wrapped. A line that is
 * indented is a command or a term, with what it is for behind two spaces; a command that is too long continues with `\`.
 */
export function helpAfter(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const width = command.configureOutput().getOutHelpWidth?.() || 80;
    const help = command.createHelp();
    const blocks = text
      .trim()
      .replaceAll(/ \\\n\s+/g, " ")
      .split("\n\n")
      .map((block) => layOut(block, width, help));
    return `\n${blocks.join("\n\n")}`;
  };
}

function layOut(block: string, width: number, help: Pick<Help, "boxWrap">): string {
  const groups: string[][] = [];
  let wasItem: boolean | null = null;
  for (const line of block.split("\n")) {
    const isItem = line.startsWith(indent);
    if (isItem === wasItem) groups.at(-1)?.push(line);
    else groups.push([line]);
    wasItem = isItem;
  }
  return groups
    .map((lines) =>
      lines[0]?.startsWith(indent) ? layOutItems(lines, width, help) : help.boxWrap(lines.join(" "), width),
    )
    .join("\n");
}

function layOutItems(lines: readonly string[], width: number, help: Pick<Help, "boxWrap">): string {
  const items = lines.map((line) => {
    const [term = "", ...rest] = line.trim().split(/\s{2,}/);
    return { term, about: rest.join(" ") };
  });
  const described = items.filter(({ term, about }) => about !== "" && term.length <= longestTerm);
  const column = Math.max(0, ...described.map(({ term }) => term.length));
  return items
    .flatMap(({ term, about }) => {
      if (about === "") return breakCommand(term, width);
      const isAside = term.length > column;
      const start = isAside ? deeper : `${indent}${term.padEnd(column)}  `;
      const [first = "", ...more] = help.boxWrap(about, width - start.length).split("\n");
      const below = more.map((line) => `${" ".repeat(start.length)}${line}`);
      return [...(isAside ? breakCommand(term, width) : []), `${start}${first}`, ...below];
    })
    .join("\n");
}

/** A command in lines of the shell, broken before flags, pipes and redirections. */
function breakCommand(command: string, width: number): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const part of command.split(/ (?=--\w|[|<>] )/)) {
    const next = line.trim() === "" ? `${line}${part}` : `${line} ${part}`;
    if (next.length + " \\".length <= width || line.trim() === "") line = next;
    else {
      lines.push(`${line} \\`);
      line = `${deeper}${part}`;
    }
  }
  return [...lines, line];
}

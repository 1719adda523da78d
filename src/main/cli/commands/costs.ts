import { type CostReport, type CostRow, formatCost, formatCount, formatNumber, monthOf } from "#contract";
import { openPrices } from "#main/connections";
import { createJudgeCostReader } from "#main/results";
import { readCostReport } from "#main/rpc";
import { commandWrites, keepPrices, noDurability, readPrices } from "#main/storage";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { type CommandProcess, print, printError } from "../command-process.ts";
import { findDataFolder } from "../data-folder.ts";
import type { CostsFlags } from "../job-flags.ts";
import { withFoldersRead } from "../jobs/read-folders.ts";
import { openConnectionStore } from "./connections.ts";

/** `sheaf costs`: what a month cost, by day, connection, model and kind, in the app and on the command line. */
export async function showCosts(flags: CostsFlags, io: CommandProcess): Promise<ExitCode> {
  const { dataDir, month = monthOf(io.machine.wall()) } = flags;
  const store = await openConnectionStore(flags, io);
  const folder = dataDir ?? findDataFolder("app", { env: io.env });
  const judgeCosts = createJudgeCostReader({
    dir: folder,
    durability: noDurability,
    prices: {
      keep: (record) => keepPrices(folder, record, commandWrites),
      read: (id) => readPrices(folder, id),
    },
    today: openPrices(store),
    machine: io.machine,
  });
  const report = await withFoldersRead({ dataDir, store }, io, (service) =>
    readCostReport(month, { service, connections: store, readJudgeCosts: judgeCosts.read }),
  ).finally(judgeCosts.close);
  if (flags.json) print(JSON.stringify(report), io);
  else for (const line of describeReport(report)) print(line, io);
  const unread = report.rows.filter(({ model, prompt_tokens: prompt }) => model === "" && prompt === 0);
  if (unread.length > 0) {
    const answers = formatCount(
      unread.reduce((sum, row) => sum + row.answers, 0),
      "answer",
    );
    printError(
      `The records of ${answers} can't be read, so their cost is missing. Find the files with: sheaf doctor.`,
      io,
    );
  }
  printError("Deleted batches are not included.", io);
  return exitCodes.ok;
}

const kinds: Readonly<Record<CostRow["kind"], string>> = {
  batch: "batches",
  trial: "trials",
  judge: "judges",
  direct: "direct calls",
};

function describeReport({ month, total, at_least: isLeast, rows }: CostReport): string[] {
  const missing = rows.reduce((sum, row) => sum + row.without_price, 0);
  const answers = rows.reduce((sum, row) => sum + row.answers, 0);
  const gap = missing === 0 ? "" : `, no price for ${formatNumber(missing)}`;
  return [
    `${month}: ${isLeast ? "at least " : ""}${formatCost(total)} for ${formatCount(answers, "answer")}${gap}`,
    ...rows.map((row) => {
      const { day, connection, model, kind, prompt_tokens: prompt, completion_tokens: completion } = row;
      const tokens = `${formatNumber(prompt)} + ${formatCount(completion, "token")}`;
      const cells = [day, connection, model, kinds[kind], formatCount(row.answers, "answer"), tokens];
      return [...cells, describeCost(row)].join("\t");
    }),
  ];
}

function describeCost({ cost, without_price: missing }: CostRow): string {
  if (cost === null) return "no price";
  return missing > 0 ? `at least ${formatCost(cost)}` : formatCost(cost);
}

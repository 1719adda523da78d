/**
 * What requests, uploads and whole batches take in a running service, next to a peer and to the least
 * that each can cost. All take turns in every round, so that whatever else the machine does hits all of them, and every
 * answer is checked. Figures are never an assertion.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { createJob, type Question, readQuestions } from "./job.ts";
import { type Bounds, measure, type Row } from "./measure.ts";
import { collectAnswers, runSmallBatch } from "./prepare.ts";
import { createChatRows } from "./rows/chat-rows.ts";
import { createJobRows } from "./rows/job-rows.ts";
import { createStatusRow } from "./rows/status-row.ts";
import { createUploadRow } from "./rows/upload-row.ts";
import { type Server, startAimock, startBare, startSheaf } from "./servers.ts";
import { formatTable } from "./statistics.ts";

/** For each row, in milliseconds. */
const timeLimit = 30_000;
const fewerLines = 1_000;
/** As many as an upload may have. The peer takes no file of this size. */
const mostLines = 50_000;

const { values } = parseArgs({
  options: { rounds: { type: "string" }, "warm-ups": { type: "string" }, only: { type: "string" } },
});
const bounds: Bounds = {
  rounds: readCount(values.rounds, 21),
  warmUps: readCount(values["warm-ups"], 7),
  timeLimit,
};

const questions = await readQuestions();
const started: Server[] = [];
try {
  const rows = await prepareRows();
  console.log(`${bounds.rounds} rounds after ${bounds.warmUps} warm-ups`);
  console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`);
  for (const row of rows) {
    if (!row.title.toLowerCase().startsWith((values.only ?? "").toLowerCase())) continue;
    console.log(`\n${row.title}\n${formatTable(row, await measure(row, bounds))}`);
  }
} finally {
  await Promise.all(started.map((server) => server.stop()));
}

async function prepareRows(): Promise<Row[]> {
  const sheaf = await keep(startSheaf());
  const aimock = await keep(startAimock());
  const statusPath = await runSmallBatch(sheaf, questions);
  const bare = await keep(startBare(await collectAnswers(sheaf, statusPath, questions)));
  const statusPaths = new Map([
    [bare.name, statusPath],
    [aimock.name, await runSmallBatch(aimock, questions)],
    [sheaf.name, statusPath],
  ]);
  const all = [bare, aimock, sheaf];
  return [
    await createStatusRow(all, statusPaths),
    ...(await createChatRows(all, questions)),
    await createUploadRow(all, questions),
    ...createJobRows(createJob(questions.slice(0, fewerLines)), [aimock, sheaf]),
    ...createJobRows(createJob(questions), [aimock, sheaf]),
    ...createJobRows(createJob(repeatQuestions(mostLines)), [sheaf], [50]),
  ];
}

/** The questions over and over, each under an id of its own. */
function repeatQuestions(count: number): Question[] {
  return Array.from({ length: count }, (_, at) => {
    const { question } = questions[at % questions.length] ?? { question: "" };
    return { id: `line-${at + 1}`, question };
  });
}

async function keep(starting: Promise<Server>): Promise<Server> {
  const server = await starting;
  started.push(server);
  return server;
}

function readCount(given: string | undefined, usual: number): number {
  const count = Number(given ?? usual);
  if (!Number.isInteger(count) || count < 1 || count > 100) throw new Error("Counts go from 1 to 100.");
  return count;
}

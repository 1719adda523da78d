import { type FileView, finalStatuses } from "#contract";
import { nameOf } from "#main/batches";
import type { Service } from "#main/service";
import { type BatchRecord, type FileRecord, filesOf } from "#main/storage";
import { os } from "./base.ts";

/** The files of the service on this computer: uploads, and what batches wrote. */
export const files = os.files.router({
  list: os.files.list.handler(({ context }) => {
    const toView = createFileViews(context.service);
    const ofTrials = filesOfTrials(context.service);
    return context.service.files.list().flatMap((file) => (ofTrials.has(file.id) ? [] : [toView(file)]));
  }),
  head: os.files.head.handler(({ context, input }) => readHead(context.service, input.id)),
  remove: os.files.remove.handler(async ({ context, input }) => {
    await context.service.files.remove(input.id);
    return {};
  }),
  begin: os.files.begin.handler(({ context, input }) => context.uploads.begin(input.bytes)),
  append: os.files.append.handler(async ({ context, input: { id, offset, chunk } }) =>
    context.uploads.append(id, offset, await chunk.bytes()),
  ),
  check: os.files.check.handler(({ context, input, signal }) => context.uploads.check(input.id, signal)),
  store: os.files.store.handler(async ({ context, input }) => {
    const record = await context.uploads.store(input.id, input.filename);
    return createFileViews(context.service)(record);
  }),
  discard: os.files.discard.handler(async ({ context, input }) => {
    await context.uploads.discard(input.id);
    return {};
  }),
});

/** Files as they are shown, with the batches that need them. Iterates the batches once. */
function createFileViews(service: Service): (file: FileRecord) => FileView {
  const users = new Map<string, FileView["batches"]>();
  const add = (batch: BatchRecord, isDeleted: boolean) => {
    const { id, status } = batch;
    const user = { id, name: nameOf(batch, service), status, hasEnded: finalStatuses.has(status), isDeleted };
    for (const fileId of filesOf(batch)) users.set(fileId, [...(users.get(fileId) ?? []), user]);
  };
  for (const batch of service.batches.list({ limit: Number.POSITIVE_INFINITY }).batches) add(batch, false);
  for (const { batch, retries } of service.batches.listDeleted()) for (const one of [batch, ...retries]) add(one, true);
  return ({ id, filename, purpose, bytes, createdAt, expiresAt, faulty }) => {
    return { id, filename, purpose, bytes, createdAt, expiresAt, faulty, batches: users.get(id) ?? [] };
  };
}

/** Trials are not listed as batches, so neither are their files: both are removed with the draft that was tried. */
function filesOfTrials(service: Service): ReadonlySet<string> {
  const { batches } = service.batches.list({ limit: Number.POSITIVE_INFINITY, trials: true });
  return new Set(batches.flatMap((batch) => (batch.link?.kind === "trial" ? filesOf(batch) : [])));
}

/** The most bytes of a file that a preview shows. */
const headBytes = 1_000_000;
const headLines = 1_000;
const longestLine = 2_000;

async function readHead({ files }: Pick<Service, "files">, id: string): Promise<{ lines: string[]; hasMore: boolean }> {
  const chunks: Buffer[] = [];
  for await (const chunk of await files.read(id, { start: 0, end: headBytes })) chunks.push(Buffer.from(chunk));
  const content = Buffer.concat(chunks);
  const isWhole = content.length >= (files.get(id)?.bytes ?? 0);
  const lines = content.toString("utf8").split("\n");
  // What follows the last newline is no line, or half of one.
  if (lines.at(-1) === "" || (!isWhole && lines.length > 1)) lines.pop();
  const shown = lines.slice(0, headLines);
  return {
    lines: shown.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)),
    hasMore: !isWhole || shown.length < lines.length,
  };
}

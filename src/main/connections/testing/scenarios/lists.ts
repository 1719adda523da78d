import type { Reply } from "../stand-in.ts";
import type { Batch } from "./batches.ts";
import type { Behaviour } from "./behaviour.ts";
import { fail, type Line } from "./kinds.ts";
import type { BatchView, Protocol, SentFiles } from "./protocol.ts";

type Wishes = NonNullable<Behaviour["list"]>;

interface ListDeps {
  readonly protocol: Protocol;
  readonly batches: readonly Batch[];
  readonly files: SentFiles;
  /** Adds a batch of the nightly job. */
  add(sent: Pick<Batch, "lines" | "file" | "mark" | "isForeign" | "createdAt">, behaviour: Behaviour): Batch;
  end(batch: Batch): void;
  view(batch: Batch): BatchView;
  readonly nightlyIds: readonly string[];
}

/** Answers lists of batches, in which those of a nightly job can stand as well. */
export function createLists({ protocol, batches, files, add, end, view, nightlyIds }: ListDeps) {
  /** Adds the nights whose time has come. `moment` is the machine's wall clock, `offset` that of the service against it. */
  function addNights(
    nights: NonNullable<Wishes["nights"]>,
    times: { moment: number; offset: number; started: number; firstCreate: number },
  ) {
    for (const { ago, after = 0 } of nights) {
      const at = ago === undefined ? times.firstCreate + after : times.started - ago;
      const createdAt = at + times.offset;
      if (at > times.moment || batches.some((other) => other.isForeign && other.createdAt === createdAt)) continue;
      const lines = nightlyIds.map((id): Line => ({ id, question: id, size: id.length, model: "some-model" }));
      const sent = lines.map((line) => `${JSON.stringify(protocol.writeSent(line))}\n`).join("");
      const file = files.add(Buffer.from(sent));
      const batch = add({ lines, file, mark: null, isForeign: true, createdAt }, {});
      if (ago !== undefined) end(batch);
    }
  }

  /** One page, newest first; `hidesOwn` leaves our batches out. */
  function list(
    { limit, after }: { limit: number; after: string | null },
    { status, isOldestFirst, forgets }: Wishes,
    hidesOwn: boolean,
    origin: string,
  ): Reply {
    if (status !== undefined) return fail(protocol.family, status, "The list isn't available.");
    const oldest = batches
      .filter(({ isForeign }) => isForeign || !hidesOwn)
      .toSorted((one, other) => one.createdAt - other.createdAt);
    const ordered = isOldestFirst === true ? oldest : oldest.toReversed();
    const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
    const page = ordered.slice(from, from + limit).map((batch) => {
      const record = view(batch);
      if (forgets === undefined) return record;
      const shown = { mark: batch.file, "mark and file": null, "mark, file is a copy": `${batch.file}-copy` };
      return { ...record, mark: null, file: shown[forgets] };
    });
    return { body: protocol.showList(page, from + limit < ordered.length, origin) };
  }

  return { addNights, list };
}

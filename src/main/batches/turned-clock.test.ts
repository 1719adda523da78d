import fc from "fast-check";
import { expect, test } from "vitest";
import type { ResultLine } from "#contract";
import { createManualClock } from "#main/base";
import { createMockEngine, type Pace } from "#main/engines";
import { createCountingIds } from "../base/ids.ts";
import { createModelCatalog } from "../requests/model-catalog.ts";
import { openTestService, requestLine, toJsonl } from "../service/testing/index.ts";

const minute = 60_000;
const hour = 60 * minute;

/** What happens, and when; times are in minutes from the start. */
interface Story {
  readonly pace: Pace;
  readonly batches: readonly { readonly lines: number; readonly at: number; readonly cancelledAfter: number | null }[];
}

const stories: fc.Arbitrary<Story> = fc.record({
  pace: fc.oneof(
    fc.constantFrom<Pace>("realistic", minute, 10 * minute, 3 * hour, 8 * hour),
    fc.integer({ min: 1, max: 10 * hour }),
  ),
  batches: fc.array(
    fc.record({
      lines: fc.integer({ min: 1, max: 40 }),
      at: fc.nat(300),
      cancelledAfter: fc.option(fc.nat(600)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Lives through a story; between two of its events, the clock is turned in as many jumps as `split` makes of the time. */
async function live({ pace, batches }: Story, split: (milliseconds: number) => readonly number[]) {
  const clock = createManualClock();
  const ids = createCountingIds();
  const engine = createMockEngine({ pace, seed: 1, clock, ids, catalog: createModelCatalog("standard") });
  const service = await openTestService({ clock, ids, engine });
  const start = clock.now();
  const created = new Map<number, string>();
  const events = batches.flatMap(({ lines, at, cancelledAfter }, batch) => {
    const content = toJsonl(Array.from({ length: lines }, (_, line) => requestLine(`${batch}-${line}`, `${line}?`)));
    const create = { at, act: async () => void created.set(batch, (await service.submit(content)).id) };
    const cancel = {
      at: at + (cancelledAfter ?? 0),
      act: async () => void (await service.batches.cancel(created.get(batch) ?? "").catch(() => undefined)),
    };
    return cancelledAfter === null ? [create] : [create, cancel];
  });
  const advanceTo = async (moment: number) => {
    for (const jump of split(start + moment - clock.now())) await clock.advance(jump);
  };
  for (const { at, act } of events.sort((one, other) => one.at - other.at)) {
    await advanceTo(at * minute);
    await act();
    await clock.advance(0);
  }
  await advanceTo(40 * hour);
  const told = [];
  for (const id of created.values()) {
    const batch = service.batches.get(id);
    const lines = [
      ...(await service.lines(batch?.outputFileId ?? null)),
      ...(await service.lines(batch?.errorFileId ?? null)),
    ] as ResultLine[];
    const byId = lines.toSorted((one, other) => String(one.custom_id).localeCompare(String(other.custom_id)));
    told.push({ status: batch?.status, times: batch?.times, counts: batch?.counts, endedBy: batch?.endedBy, byId });
  }
  await service.close(0);
  return told;
}

const inOneJump = (milliseconds: number) => [milliseconds];

/** Jumps of these lengths in turn, until the time has passed. */
function inJumpsOf(lengths: readonly number[]) {
  return (milliseconds: number) => {
    const jumps: number[] = [];
    for (let left = milliseconds; left > 0; ) {
      const jump = Math.min(left, lengths[jumps.length % lengths.length] ?? left);
      jumps.push(jump);
      left -= jump;
    }
    return jumps;
  };
}

test("one jump and many small ones end in the same states, times, counts and lines", async () => {
  const lengths = fc.array(fc.integer({ min: 7 * minute, max: 9 * hour }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(stories, lengths, async (story, jumps) => {
      expect(await live(story, inJumpsOf(jumps))).toEqual(await live(story, inOneJump));
    }),
    { numRuns: 12 },
  );
});

test("batches that share the engine end the same on every run", async () => {
  const batches = [17, 40, 23, 5].map((lines, at) => ({ lines: lines * 3, at: at * 10, cancelledAfter: null }));
  const story = { pace: 3 * hour, batches };
  const [first, second] = [await live(story, inOneJump), await live(story, inOneJump)];
  expect(second).toEqual(first);
  expect(first.map(({ status }) => status)).toContain("expired");
});

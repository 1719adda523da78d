import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckProgress, RequestTemplate, Source, SourceProgress } from "#contract";
import { createRandomIds, createSilentLogger, createSystemClock } from "#main/base";
import { createMockEngine } from "#main/engines";
import { createModelCatalog, type FileLimits } from "#main/requests";
import { createService, type Service } from "#main/service";
import { sharedThreads } from "../../service/testing/index.ts";
import { type Build, createBuild } from "../build.ts";
import { sharedBuildThread } from "./shared-thread.ts";

/** The folder of the examples that ship with the app. */
export const examplesFolder = fileURLToPath(new URL("../../../../examples/", import.meta.url));

export interface BuildFixture {
  readonly dataDir: string;
  readonly service: Service;
  readonly build: Build;
  /** Uploads a file in pieces, as the page does. */
  upload(content: string | Uint8Array, name: string): Promise<Source>;
  close(): Promise<void>;
}

/** Build over a real service and a real worker, in a folder of its own. */
export async function openBuild(
  limits: { fileLimits?: Partial<FileLimits>; generatedFileLimits?: Partial<FileLimits> } = {},
): Promise<BuildFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), "sheaf-build-"));
  const clock = createSystemClock();
  const ids = createRandomIds();
  const logger = createSilentLogger();
  const engine = createMockEngine({ pace: "instant", seed: 1, clock, ids, catalog: createModelCatalog("standard") });
  const service = await createService({ ephemeral: true, engine, clock, ids, logger, ...sharedThreads(), ...limits });
  const build = await createBuild({
    dataDir,
    writeRules: service.durability,
    thread: sharedBuildThread(),
    service,
    clock,
    machine: service.machine,
    ids,
    logger,
    notices: service.notices,
    readRequestRules: async () => null,
    openPlanner: async () => null,
  });
  return {
    dataDir,
    service,
    build,
    async upload(content, name) {
      const bytes = Buffer.from(content);
      const { id } = await build.sources.begin(name);
      for (let offset = 0; offset < bytes.length; offset += 700_000) {
        await build.sources.append(id, offset, bytes.subarray(offset, offset + 700_000));
      }
      return readSource(build.sources.finish(id));
    },
    async close() {
      await build.close();
      await service.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The source at the end of its reading. */
export async function readSource(reading: AsyncIterable<SourceProgress>): Promise<Source> {
  const last = (await Array.fromAsync(reading)).at(-1);
  if (last?.phase !== "read") throw new Error("The reading ended without a source.");
  return last.source;
}

/** A template that asks the question of the column `question`. */
export function questionTemplate(changes: Partial<RequestTemplate> = {}): RequestTemplate {
  return {
    messages: [{ role: "user", content: "{{ question }}" }],
    connectionId: null,
    model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
    temperature: null,
    maxCompletionTokens: null,
    customId: "q-{{ row_number }}",
    ...changes,
  };
}

/** All events of a check; the last one is finished. */
export async function checkAll(
  check: AsyncIterable<CheckProgress>,
): Promise<{ events: CheckProgress[]; last: CheckProgress }> {
  const events = await Array.fromAsync(check);
  const last = events.at(-1);
  if (last === undefined) throw new Error("The check reported nothing.");
  return { events, last };
}

import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { allRows, type Draft, defaultCustomId, draftSchema } from "#contract";
import { type Clock, createQueue, type Ids } from "#main/base";
import { listFiles, type Notices, readJsonFile, type WriteRules, writeJsonFile } from "#main/storage";
import { BuildError, checkId } from "./errors.ts";

export interface DraftStoreDeps {
  /** The folder of the drafts; created when it is missing. */
  readonly folder: string;
  readonly writeRules: WriteRules;
  /** What a new draft starts with. */
  readonly model: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Gets notices of drafts that can't be read. */
  readonly notices: Pick<Notices, "add">;
}

/** The batches that are being built, each in a file of its own. */
export interface DraftStore {
  /** The latest changed first. */
  list(): Promise<Draft[]>;
  /** The sources that drafts use; null when a draft can't be read, so that they are not all known. */
  sourcesInUse(): Promise<ReadonlySet<string> | null>;
  /** A draft for a connection begins without a model: the connection lists those that there are. */
  create(name: string | undefined, connectionId?: string | null): Promise<Draft>;
  get(id: string): Promise<Draft>;
  /** Stores the draft as its next revision. A conflict when it is no longer at the revision that was edited. */
  save(draft: Omit<Draft, "updatedAt">): Promise<Draft>;
  /** Returns the removed draft; null when there was none. */
  remove(id: string): Promise<Draft | null>;
}

const notFound = "This draft is no longer there.";
const changedElsewhere =
  "This draft was changed in another window, so it was not saved over. Load it again, or save over that revision.";
/** A draft as it is stored. The oldest have no revision, and older ones call the request template a recipe. */
const storedDraftSchema = z.preprocess(
  renameRecipe,
  draftSchema.extend({ revision: draftSchema.shape.revision.default(0) }),
);
const extension = ".json";
const draftName = /^draft_\w+\.json$/;
const brokenName = /^draft_\w+\.json\.broken$/;

function renameRecipe(stored: unknown): unknown {
  if (typeof stored !== "object" || stored === null || !("recipe" in stored)) return stored;
  const { recipe: template, ...draft } = stored;
  return { template, ...draft };
}

export function createDraftStore({ folder, writeRules, model, clock, ids, notices }: DraftStoreDeps): DraftStore {
  const inTurn = createQueue();
  const pathOf = (id: string) => join(folder, `${checkId(id, notFound)}${extension}`);

  /** Renames a file that can't be read, so that nothing in it is lost. */
  async function setAside(path: string): Promise<undefined> {
    writeRules.assertHeld();
    await rename(path, `${path}.broken`);
    const message = "A draft of Build could not be read and was set aside. The others are as they were.";
    notices.add({ code: "file_set_aside", count: 1, message, details: `${path}.broken` });
  }

  async function read(path: string): Promise<Draft | undefined> {
    let content: unknown;
    try {
      content = await readJsonFile(path);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return setAside(path);
    }
    if (content === undefined) return undefined;
    const draft = storedDraftSchema.safeParse(content);
    return draft.success ? draft.data : setAside(path);
  }

  async function write(draft: Draft): Promise<Draft> {
    writeRules.assertHeld();
    await mkdir(folder, { recursive: true });
    await writeJsonFile(pathOf(draft.id), draft, writeRules);
    return draft;
  }

  async function find(id: string): Promise<Draft> {
    const draft = await read(pathOf(id));
    if (draft === undefined) throw new BuildError("not_found", notFound);
    return draft;
  }

  async function list(): Promise<Draft[]> {
    const drafts = await Promise.all(listFiles(folder, draftName).map((name) => read(join(folder, name))));
    return drafts.filter((draft) => draft !== undefined).sort((a, b) => b.updatedAt - a.updatedAt);
  }

  return {
    list,
    async sourcesInUse() {
      const drafts = await list();
      if (listFiles(folder, brokenName).length > 0) return null;
      return new Set(drafts.flatMap(({ sourceId }) => (sourceId === null ? [] : [sourceId])));
    },
    create: (name = "", connectionId = null) =>
      write({
        id: ids.create("draft"),
        name,
        sourceId: null,
        template: {
          messages: [{ role: "user", content: "" }],
          connectionId,
          model: connectionId === null ? model : "",
          temperature: null,
          maxCompletionTokens: null,
          customId: defaultCustomId,
        },
        rows: allRows,
        pictureFolders: [],
        revision: 0,
        updatedAt: clock.now(),
      }),
    get: (id) => inTurn(() => find(id)),
    save: (draft) =>
      inTurn(async () => {
        const { revision } = await find(draft.id);
        if (draft.revision !== revision) throw new BuildError("conflict", changedElsewhere);
        return write({ ...draft, revision: revision + 1, updatedAt: clock.now() });
      }),
    remove: (id) =>
      inTurn(async () => {
        const path = pathOf(id);
        const draft = await read(path);
        writeRules.assertHeld();
        await rm(path, { force: true });
        return draft ?? null;
      }),
  };
}

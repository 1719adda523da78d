import type { Machine } from "#main/base";
import { type Received, type Reply, type StandIn, send, startStandIn } from "../stand-in.ts";
import { createAnthropicProtocol } from "./anthropic-protocol.ts";
import { mixBehaviours } from "./batch-behaviours.ts";
import { type Batch, createBatches, type ScenarioBatch } from "./batches.ts";
import type { Behaviour, CreateFault } from "./behaviour.ts";
import { type Bill, createBill } from "./bill.ts";
import { createCalls } from "./calls.ts";
import { createDownloads } from "./downloads.ts";
import { createGeminiProtocol } from "./gemini-protocol.ts";
import { fail, type Kind } from "./kinds.ts";
import { createLists } from "./lists.ts";
import { createOpenaiProtocol } from "./openai-protocol.ts";
import type { Action, Protocol } from "./protocol.ts";

/** A stand-in that plays what services have been seen to do, and keeps a bill. */
export interface Scenario extends StandIn {
  readonly bill: Bill;
  /** Our batches and those of the nightly job, oldest first. */
  readonly batches: readonly ScenarioBatch[];
  /** What reached another origin by a redirect: nothing may. */
  readonly elsewhere: readonly Received[];
  /** Behaves so from now on: lists, clock and models at once, creates in turn, everything else for batches made from now. */
  play(...names: readonly string[]): void;
  /** The batches that are there behave so from now on. */
  replay(...names: readonly string[]): void;
  /** How a line is answered, in calls and in batches: by its question or its id, `*` for all others. */
  playLine(question: string, name: string): void;
  /** Ends the batches that are running. */
  end(): void;
}

export interface ScenarioOptions {
  readonly key: string;
  /** The time of the service. Nothing waits for real. */
  readonly machine: Pick<Machine, "wall" | "monotonic" | "sleep">;
  /** After so many reads of its record a batch has ended; without it, `end` is called. */
  readonly endsAfter?: number;
  /** The custom_ids of the nightly job, the same each night; `q-1` to `q-20` by default. */
  readonly nightlyIds?: readonly string[];
  /** The length of an answer that is longer than anyone reads. */
  readonly overlongBytes?: number;
}

const defaultIds = Array.from({ length: 20 }, (_, at) => `q-${at + 1}`);

const page = (title: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

function createProtocol(kind: Kind, key: string): Protocol {
  if (kind === "anthropic") return createAnthropicProtocol(key);
  return kind === "gemini" ? createGeminiProtocol(key) : createOpenaiProtocol(kind, key);
}

/** Starts a stand-in of a kind; `url` is where the vendor's client begins. */
export async function startScenario(kind: Kind, options: ScenarioOptions): Promise<Scenario> {
  const { key, machine, endsAfter, nightlyIds = defaultIds, overlongBytes = 20_000_000 } = options;
  const protocol = createProtocol(kind, key);
  const cashier = createBill();
  let behaviour: Behaviour = {};
  let creates: CreateFault[] = [];
  let listed = 0;
  let firstCreate = Number.POSITIVE_INFINITY;
  const started = machine.wall();
  const now = () => machine.wall() + (behaviour.clock?.offset ?? 0);
  const calls = createCalls({ kind, protocol, cashier, machine, now });
  const { batches, add, view, readRows, end } = createBatches({
    protocol,
    cashier,
    now,
    outcomeOf: calls.outcomeOf,
    overlongBytes,
  });
  const sent = new Map<string, Buffer>();
  const files = {
    add(content: Buffer): string {
      const id = `file-${sent.size + 1}`;
      sent.set(id, content);
      return id;
    },
    set: (id: string, content: Buffer) => void sent.set(id, content),
    get: (id: string) => sent.get(id),
  };
  const download = createDownloads({ protocol, machine, readRows });
  const lists = createLists({ protocol, batches, files, add, end, view, nightlyIds });
  const elsewhere = await startStandIn(() => ({ body: page("Sign in") }));
  let origin = "";

  function redirect(status: number, path: string, to: "moved" | "login" | "batch" | "elsewhere", made?: Batch): Reply {
    const location = {
      moved: `${origin}/moved${path}`,
      login: `${origin}/login`,
      elsewhere: `${elsewhere.url}${path}`,
      batch: `${origin}${protocol.placeOf(made?.id ?? "")}`,
    }[to];
    return { status, headers: { location, "content-type": "text/html" }, body: page(`${status} Moved`) };
  }

  function create(action: Extract<Action, { do: "create" }>, path: string, isMoved: boolean): Reply {
    const fault = isMoved ? undefined : creates.shift();
    firstCreate = Math.min(firstCreate, machine.wall());
    const forgets = behaviour.list?.forgets;
    const made =
      fault?.made === false
        ? undefined
        : add(
            {
              lines: action.lines,
              file: action.file,
              mark: action.mark,
              isForeign: false,
              createdAt: now(),
            },
            behaviour,
          );
    if (made !== undefined && forgets === "mark, file is a copy" && made.file !== null)
      sent.set(`${made.file}-copy`, sent.get(made.file) ?? Buffer.alloc(0));
    if (fault === undefined) return { body: made && protocol.showCreated(view(made), origin) };
    if ("ends" in fault) return fault.ends === "hang" ? () => {} : (response) => void response.socket?.destroy();
    const { status, location, body } = fault;
    if (location !== undefined) return redirect(status, path, location, made);
    if (body !== undefined) return { status, headers: { "content-type": "text/html" }, body };
    if (status === 499 || status === 425) return { status, headers: { "content-type": "text/html" }, body: page("") };
    return fail(protocol.family, status, "The server had an error while processing your request.");
  }

  function list(action: Extract<Action, { do: "list" }>, path: string, isMoved: boolean): Reply {
    const { redirect: status, location = "login", nights = [], hidesOwn = 0, ...wishes } = behaviour.list ?? {};
    if (status !== undefined && !isMoved) return redirect(status, path, location);
    const offset = behaviour.clock?.offset ?? 0;
    lists.addNights(nights, { moment: machine.wall(), offset, started, firstCreate });
    return lists.list(action, wishes, listed++ < hidesOwn, origin);
  }

  async function answer(request: Received): Promise<Reply> {
    const isMoved = request.path.startsWith("/moved/");
    const path = isMoved ? request.path.slice("/moved".length) : request.path;
    if (path === "/login") return { headers: { "content-type": "text/html" }, body: page("Sign in") };
    // lmstudio-ai/lmstudio-bug-tracker issue 618
    if (behaviour.answersAnyPath && !/^\/v1\/(models|chat\/completions)$/.test(path))
      return { body: { error: `Unexpected endpoint or method. (${request.method} ${path})` } };
    const action = await protocol.read({ ...request, path }, files);
    if (action.do === "reply") return action.reply;
    if (action.do === "call") return calls.call(action.line, action.isStream, action.hasUsage);
    if (action.do === "models") {
      const { models = ["some-model"] } = behaviour;
      return typeof models === "number"
        ? fail(protocol.family, models, "Not Found")
        : { body: protocol.showModels(models) };
    }
    const query = request.query.toString();
    // A server that has moved keeps the query.
    const place = query === "" ? path : `${path}?${query}`;
    if (action.do === "create") return create(action, place, isMoved);
    if (action.do === "list") return list(action, place, isMoved);
    const batch = batches.find(({ id }) => id === action.id);
    if (batch === undefined) return fail(protocol.family, 404, "No such batch.");
    if (action.do === "results") return download(batch, action.file);
    if (action.do === "cancel" && batch.endedAt === null) batch.isCancelled = true;
    batch.reads++;
    if (batch.endedAt === null && batch.reads > (endsAfter ?? Number.POSITIVE_INFINITY)) end(batch);
    return { body: protocol.showBatch(view(batch), origin) };
  }

  const standIn = await startStandIn(async (request) => {
    const value = await answer(request);
    const { date } = behaviour.clock ?? {};
    return (response) => {
      response.sendDate = false;
      if (date !== "none") response.setHeader("date", date === undefined ? new Date(now()).toUTCString() : "yesterday");
      send(response, value);
    };
  });
  origin = standIn.url;

  return {
    ...standIn,
    url: `${origin}${protocol.path}`,
    bill: cashier.bill,
    elsewhere: elsewhere.received,
    batches,
    play(...names) {
      behaviour = mixBehaviours(names);
      creates = [...(behaviour.creates ?? [])];
      listed = 0;
    },
    replay(...names) {
      const wanted = mixBehaviours(names);
      for (const batch of batches) if (!batch.isForeign) batch.behaviour = wanted;
    },
    playLine: calls.play,
    end() {
      for (const batch of batches) end(batch);
    },
    async close() {
      await elsewhere.close();
      await standIn.close();
    },
  };
}

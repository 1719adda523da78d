import {
  type CountedTarget,
  type FaultCount,
  type FaultName,
  type FaultSettings,
  type FaultTarget,
  faultSettingsSchema,
  type StickyStatus,
} from "#contract";
import {
  type Clock,
  defaultScope,
  type EndpointCall,
  type Engine,
  type EngineCall,
  type EngineError,
} from "#main/base";
import { createEngineError, noEndpoint } from "./engine-error.ts";
import { type CountedFault, createFaultCounts, type InjectedFault } from "./fault-counts.ts";
import { createRandom, deriveStarts } from "./random.ts";

/** A request over HTTP that faults can act on. */
export type HttpTarget = Exclude<FaultTarget, "lines">;

/** The faults that a service is set to have, and what they do to each request. */
export interface Faults {
  /** With what is left of the faults by count. */
  readonly settings: FaultSettings;
  /** From now on. What is drawn starts over: the same settings give the same requests their faults again. */
  set(settings: FaultSettings): void;
  /** Switches all off. */
  clear(): void;
  /** Puts more faults by count behind those that have some left; all else stays. */
  addCounts(counts: readonly FaultCount[]): void;
  /** The fault by count of the next request that is about these targets; null where none is left. */
  countedFault(targets: readonly CountedTarget[]): CountedFault | null;
  /** Whether anything acts on such requests at all. */
  actOn(target: FaultTarget): boolean;
  /** The fault of a batch's line: for the same seed and line always the same, whatever runs at the same time. */
  faultOfLine(line: NonNullable<EngineCall["line"]>): Fault;
  /** The fault of the next request over HTTP. */
  faultOfNext(target: HttpTarget): Fault;
  /** The refusal of the next upload; null when it is taken. */
  refuseUpload(): EngineError | null;
  /** The fault that a request asks for by its name. */
  faultNamed(name: FaultName): InjectedFault;
  /** The answer to a request that fails; null for a fault that acts on the connection. `reason` names what asks for it. */
  replyTo(fault: Fault, reason?: string): EngineError | null;
  /** Whether a batch of which so many lines were started is to expire. */
  expires(startedLines: number): boolean;
  /** Resolves when batches need not stay in the status any more; rejects with the signal's reason. */
  released(status: StickyStatus, signal: AbortSignal): Promise<void>;
}

/** A service without faults, until some are set. */
export const noFaults: FaultSettings = faultSettingsSchema.parse({});

/** The faults of each scope. */
export interface ScopedFaults {
  /** Those that the service was started with, until the scope sets others. */
  of(scope: string): Faults;
  /** Sets those of the start again. */
  reset(scope: string): void;
}

export function createScopedFaults(serverSeed: number, initial: FaultSettings = noFaults): ScopedFaults {
  const byScope = new Map<string, Faults>();
  return {
    of(scope) {
      const faults = byScope.get(scope) ?? createFaults(serverSeed, initial);
      byScope.set(scope, faults);
      return faults;
    },
    reset(scope) {
      byScope.get(scope)?.set(initial);
      if (scope !== defaultScope) byScope.delete(scope);
    },
  };
}

export function createFaults(serverSeed: number, initial: FaultSettings = noFaults): Faults {
  let settings = initial;
  const counts = createFaultCounts(initial.counts);
  let drawn: Record<string, number> = {};
  let active = findActive(settings);
  let waiting = new Set<() => void>();

  const seed = () => settings.seed ?? serverSeed;

  /** Counts apart: how many uploads there are between them must not change the faults of chat calls. */
  function nextOf(kind: string): string {
    const count = (drawn[kind] ?? 0) + 1;
    drawn[kind] = count;
    return `${kind} ${count}`;
  }

  function set(next: FaultSettings): void {
    settings = next;
    counts.replace(next.counts);
    drawn = {};
    active = findActive(next);
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
  }

  return {
    get settings() {
      return { ...settings, counts: counts.list() };
    },
    set,
    clear: () => set(noFaults),
    addCounts: counts.add,
    countedFault: counts.next,
    actOn: (target) => active.has(target),
    faultOfLine: ({ customId, number }) => drawFault(settings, seed(), `line ${number} ${customId}`),
    faultOfNext: (target) => drawFault(settings, seed(), nextOf(target)),
    refuseUpload() {
      const { upload_failure_rate: rate, statuses } = settings;
      if (rate === 0) return null;
      const only = { failure_rate: rate, rate_limit_rate: 0, drop_rate: 0, malformed_rate: 0, statuses };
      const fault = drawFault(only, seed(), nextOf("upload"));
      if (fault?.type !== "failure") return null;
      return toFaultReply(fault.status, `The upload was refused, as the fault upload_failure_rate ${rate} asks for.`);
    },
    faultNamed: (name) => (name === "failure" ? { type: name, status: settings.statuses[0] ?? 500 } : { type: name }),
    replyTo(fault, reason) {
      if (fault?.type === "failure") {
        const { failure_rate: rate } = settings;
        return toFaultReply(
          fault.status,
          `The request failed, as ${reason ?? `the fault failure_rate ${rate}`} asks for.`,
        );
      }
      if (fault?.type === "rate_limit") {
        const { rate_limit_rate: rate, retry_after: retryAfter } = settings;
        return toFaultReply(
          429,
          `Too many requests, as ${reason ?? `the fault rate_limit_rate ${rate}`} asks for.`,
          retryAfter,
        );
      }
      return null;
    },
    expires: (startedLines) => settings.expire_after !== null && startedLines >= settings.expire_after,
    async released(status, signal) {
      while (settings.stuck_in.includes(status)) {
        signal.throwIfAborted();
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const giveUp = () => reject(signal.reason);
        waiting.add(resolve);
        signal.addEventListener("abort", giveUp, { once: true });
        try {
          await promise;
        } finally {
          waiting.delete(resolve);
          signal.removeEventListener("abort", giveUp);
        }
      }
    },
  };
}

function findActive(settings: FaultSettings): ReadonlySet<FaultTarget> {
  const { failure_rate, rate_limit_rate, drop_rate, malformed_rate, latency_ms } = settings;
  const any = failure_rate + rate_limit_rate + drop_rate + malformed_rate + latency_ms > 0;
  return new Set(any ? settings.targets : []);
}

/** What goes wrong with one request; null is nothing. */
export type Fault = InjectedFault | null;

type Rates = Pick<FaultSettings, "failure_rate" | "rate_limit_rate" | "drop_rate" | "malformed_rate" | "statuses">;

/** Draws at most one fault. The same seed and `about` draw the same. */
export function drawFault(settings: Rates, seed: number, about: string): Fault {
  const random = createRandom(deriveStarts(seed, about).answer);
  let left = random.next();
  const isDrawn = (rate: number): boolean => {
    if (left < rate) return true;
    left -= rate;
    return false;
  };
  if (isDrawn(settings.failure_rate)) return { type: "failure", status: pickStatus(settings.statuses, random.next()) };
  if (isDrawn(settings.rate_limit_rate)) return { type: "rate_limit" };
  if (isDrawn(settings.drop_rate)) return { type: "drop" };
  if (isDrawn(settings.malformed_rate)) return { type: "malformed" };
  return null;
}

function pickStatus(statuses: readonly number[], drawn: number): number {
  return statuses[Math.floor(drawn * statuses.length)] ?? 500;
}

/** The answer of a request that fails because a fault was set. Its message names the fault; the rest is as a real one has it. */
function toFaultReply(status: number, message: string, retryAfter?: number): EngineError {
  const code = status === 429 ? "rate_limit_exceeded" : "injected_fault";
  return createEngineError({ status, message, code, retryAfter });
}

/** The engine as batches meet it: with the faults that act on their lines. Those of direct calls are the HTTP server's. */
export function createFaultyEngine(engine: Engine, scopedFaults: ScopedFaults, clock: Clock): Engine {
  /** Answers a call, unless a fault does. */
  function withFault<Call extends Pick<EngineCall, "line" | "scope" | "signal">, Reply>(
    call: Call,
    answer: (call: Call) => Reply | Promise<Reply>,
  ): Reply | EngineError | Promise<Reply | EngineError> {
    const { line, scope = defaultScope } = call;
    if (line === null) return answer(call);
    const faults = scopedFaults.of(scope);
    return faults.actOn("lines") ? inject(faults, line, call, answer) : answer(call);
  }

  async function inject<Call extends Pick<EngineCall, "signal">, Reply>(
    faults: Faults,
    line: NonNullable<EngineCall["line"]>,
    call: Call,
    answer: (call: Call) => Reply | Promise<Reply>,
  ): Promise<Reply | EngineError> {
    const { latency_ms: latency } = faults.settings;
    const failure = faults.replyTo(faults.faultOfLine(line));
    if (latency > 0) await clock.sleep(latency, call.signal);
    return failure ?? answer(call);
  }

  return {
    get description() {
      return engine.description;
    },
    get mayCost() {
      return engine.mayCost === true;
    },
    get concurrency() {
      return engine.concurrency;
    },
    complete: (call) => withFault(call, engine.complete),
    stream: (call) => engine.stream(call),
    get passingOn() {
      const { passingOn } = engine;
      if (passingOn === undefined) return undefined;
      return { takes: passingOn.takes, answer: async (call: EndpointCall) => withFault(call, passingOn.answer) };
    },
    answerEndpoint: (call) => withFault(call, (given) => engine.answerEndpoint?.(given) ?? noEndpoint(given)),
  };
}

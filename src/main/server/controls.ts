import type { EngineChoice, RuleProblem, ServerChange, ServerView } from "#contract";
import { type AdjustableClock, defaultScope, type Engine } from "#main/base";
import { createMockEngine, loadTemplates, type Pace, parseRules, type Rules, RulesError } from "#main/engines";
import type { Service } from "#main/service";
import { loadConfigReader } from "#main/storage";
import { ServerError } from "./listen-locally.ts";
import { sampleRules } from "./sample-rules.ts";
import type { SettingsFile } from "./settings.ts";

/** How the app's mock answers are made. */
export interface MockSettings {
  /** Until the user chooses another. */
  readonly pace: Pace;
  readonly seed: number;
}

export interface ControlsOptions {
  readonly service: Service;
  /** The service's own, to be turned forward. */
  readonly clock: AdjustableClock;
  readonly mock: MockSettings;
  readonly settings: SettingsFile;
  readonly upstreams: Upstreams;
}

/** Models elsewhere that can answer in place of the mock. */
export interface Upstreams {
  /** What answers single calls of a connection, all by one model unless that is null; null when the connection is gone. */
  open(connectionId: string, model: string | null): Promise<Engine | null>;
  /** Calls the listener with the id of each connection that was changed. The answer stops it. */
  subscribe(listener: (connectionId: string) => void): () => void;
}

/** What of the service can be steered while it runs. */
export interface ServerControls {
  view(): ServerView["controls"];
  change(change: ServerChange): Promise<void>;
  /** Resolves when what fell due on the way is done. */
  turnClock(milliseconds: number): Promise<void>;
  /** The text of the rules: what was last put into force, or a sample. */
  rules(): string;
  /** Stores the rules and has them in force, unless there are mistakes in them: then with nothing changed, and all of them. */
  setRules(text: string): Promise<RuleProblem[]>;
  /** How many rules there are in a text, and what is wrong with it. */
  checkRules(text: string): Promise<{ rules: number; problems: RuleProblem[] }>;
  close(): void;
}

/** Puts into force what was chosen at the last run of the app, and what is chosen from now on. */
export async function createControls(options: ControlsOptions): Promise<ServerControls> {
  const { service, clock, mock, settings, upstreams } = options;
  const { faults, ids, logger, machine, models } = service;

  function createMock(): Engine {
    return createMockEngine({ ...mock, pace: settings.read().pace ?? mock.pace, clock, ids, catalog: models });
  }

  async function createChosen(choice: EngineChoice): Promise<Engine> {
    if (choice.kind === "upstream") {
      const engine = await upstreams.open(choice.connectionId, choice.model);
      if (engine !== null) return engine;
      throw new ServerError("not_found", "This connection is no longer there. Choose another.");
    }
    return createMock();
  }

  /** Throws where the engine can't be had, or a RulesError: then nothing has changed. */
  async function choose(choice: EngineChoice): Promise<void> {
    const text = choice.kind === "scripted" ? (settings.read().rules ?? sampleRules) : "rules: []";
    await loadReaders();
    const rules = parseRules(text, rulesName);
    service.switchEngine(await createChosen(choice));
    startRules(rules);
  }

  /** What a client has set in their place is no longer in force. */
  function startRules(rules: Rules): void {
    service.rules.replaceStart({ name: "the rules", current: rules, close() {} });
    service.rules.reset(defaultScope);
  }

  const { tier, dialect, engine, pace } = settings.read();
  service.setTier(tier);
  service.setDialect(dialect);
  if (engine.kind !== "mock" || pace !== null) {
    try {
      await choose(engine);
    } catch (error) {
      logger.warn("the engine of the last run can't be had", { error: error instanceof Error ? error.name : "" });
      await settings.change({ engine: { kind: "mock" } });
    }
  }

  /** A connection that was changed is opened anew, with its new key or address. */
  async function reopen(): Promise<void> {
    try {
      await choose(settings.read().engine);
    } catch (error) {
      logger.warn("the connection that answers can't be had", { error: error instanceof Error ? error.name : "" });
    }
  }
  const unsubscribe = upstreams.subscribe((connectionId) => {
    const chosen = settings.read().engine;
    if (chosen.kind === "upstream" && chosen.connectionId === connectionId) void reopen();
  });

  return {
    close: unsubscribe,
    view: () => ({
      engine: settings.read().engine,
      pace: settings.read().pace ?? mock.pace,
      faults: faults.settings,
      clock: { now: clock.now(), ahead: clock.now() - machine.wall() },
    }),
    async change({ faults: wantedFaults, ...wanted }) {
      const before = settings.read();
      const { tier = before.tier, dialect = before.dialect, engine = before.engine, pace = before.pace } = wanted;
      if (wantedFaults !== undefined) faults.set(wantedFaults);
      await settings.change({ tier, dialect, engine, pace });
      service.setTier(tier);
      service.setDialect(dialect);
      if (wanted.engine === undefined && wanted.pace === undefined) return;
      try {
        await choose(engine);
      } catch (error) {
        await settings.change({ engine: before.engine, pace: before.pace });
        if (error instanceof RulesError) throw new ServerError("refused", `The rules can’t be used. ${error.message}`);
        throw error;
      }
    },
    turnClock: (milliseconds) => clock.advance(milliseconds),
    rules: () => settings.read().rules ?? sampleRules,
    checkRules,
    async setRules(text) {
      const { problems } = await checkRules(text);
      if (problems.length > 0) return problems;
      await settings.change({ rules: text });
      if (settings.read().engine.kind === "scripted") startRules(parseRules(text, rulesName));
      return [];
    },
  };
}

/** What is needed to read the text of rules. */
async function loadReaders(): Promise<void> {
  await Promise.all([loadConfigReader(), loadTemplates()]);
}

/** How the messages about rules call them. */
const rulesName = "rules";

async function checkRules(text: string): Promise<{ rules: number; problems: RuleProblem[] }> {
  await loadReaders();
  try {
    return { rules: parseRules(text, rulesName).rules.length, problems: [] };
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    return { rules: 0, problems: error.problems.map(toProblem) };
  }
}

/** From `rules:12: rules[0].reply is missing`. */
function toProblem(problem: string): RuleProblem {
  const [, line = "1", message = problem] = /^rules:(\d+): ([\s\S]*)$/.exec(problem) ?? [];
  return { line: Number(line), message };
}

import { type DialectName, type MockServerSettings, mockServerDefaults } from "#contract";
import { type Clock, defaultScope, type Engine, type Ids } from "#main/base";
import { type CheckRules, createModelCatalog, type Model, type Tier } from "#main/requests";
import { connectionsOnly } from "./connections-only.ts";
import { createFaultyEngine, createScopedFaults, type ScopedFaults } from "./faults.ts";
import { createRealtimeGate, realtimeLimits } from "./realtime-gate.ts";
import type { RulesSource } from "./scripted/rules-source.ts";
import { createScopedRules } from "./scripted/scoped-rules.ts";
import { createScriptedEngine } from "./scripted/scripted-engine.ts";
import { createSwitchableEngine } from "./switchable-engine.ts";

/** What the engine of a mock server starts with. */
export interface SteeredEngineSettings
  extends Partial<Pick<MockServerSettings, "tier" | "lenient" | "dialect" | "rateLimit" | "anyModel">> {
  /** None by default: all batches belong to connections then. */
  readonly engine?: Engine;
  /** Rules that are asked before the engine, until a scope sets others; none by default. */
  readonly rules?: RulesSource;
  /** In place of the built-in list. */
  readonly models?: readonly Model[];
  /** What goes wrong on purpose; nothing by default. */
  readonly faults?: ScopedFaults;
}

/** The engine that answers on this computer, with all that can be changed of it while it runs. */
export function createSteeredEngine(
  settings: SteeredEngineSettings,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
) {
  const { faults: scopedFaults = createScopedFaults(mockServerDefaults.seed) } = settings;
  const { anyModel, rateLimit, lenient } = { ...mockServerDefaults, ...settings };
  let { tier, dialect } = { ...mockServerDefaults, ...settings };
  const switchable = createSwitchableEngine(settings.engine ?? connectionsOnly);
  const rules = createScopedRules(settings.rules);
  const engine = createScriptedEngine({
    rules,
    engine: switchable,
    clock,
    ids,
    isUsageDetailed: () => dialect === "openai",
  });
  const listeners = new Set<() => void>();

  return {
    engine,
    /** The same, with the faults of each scope: for lines of batches. */
    faultyEngine: createFaultyEngine(engine, scopedFaults, clock),
    models: createModelCatalog(() => ({ tier, dialect }), settings.models, { anyModel }),
    /** Has another engine answer from now on; calls that are under way end with the one that they began with. */
    switchEngine(next: Engine): void {
      switchable.switchTo(next);
      for (const listener of listeners) listener();
    },
    /** Calls the listener after every switch of the engine. */
    onSwitch(listener: () => void): void {
      listeners.add(listener);
    },
    /** What is asked before the engine, for each scope. */
    rules,
    /** The faults to inject, for each scope; HTTP and batches follow them. */
    scopedFaults,
    /** Those of the default scope. */
    faults: scopedFaults.of(defaultScope),
    /** Whose limits hold now. */
    readTier: () => tier,
    /** Limits of the tier hold from now on: for files that are checked, batches that begin, and direct calls. */
    setTier(next: Tier): void {
      tier = next;
    },
    /** How records look over HTTP. */
    readDialect: () => dialect,
    setDialect(next: DialectName): void {
      dialect = next;
    },
    /** What is refused of requests besides what has no meaning. An engine elsewhere decides for itself what it takes. */
    readStrictness(): CheckRules["strictness"] {
      if (lenient) return "lenient";
      return switchable.isMock === true ? "api" : "ranges";
    },
    /** Holds the direct calls of a scope to the tier's limits; null where there are none. */
    createRealtimeGate: () => (rateLimit ? createRealtimeGate(() => realtimeLimits[tier], clock) : null),
  };
}

/** What the package promises to its users. Its declarations are made of this file, so it names no types of the project but those of `wire-types.ts`. */
import type { FaultSettings, FaultsInput, LoggedRequest, RulesInput } from "./wire-types.ts";

/** A request as rules see it: of whichever vendor, as a chat completion. */
export interface RuleRequest {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
}

/** What a rule's function gets besides the request. */
export interface RuleCall {
  /** The path that the request came to, such as `/v1/responses`. */
  readonly endpoint: string;
  /** Of a direct call, names in lower case; without those that hold keys. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of a line of a batch; null for a direct call. */
  readonly customId: string | null;
  /** Of the batch that a line belongs to. */
  readonly metadata: Readonly<Record<string, string>>;
}

type Rule = RulesInput["rules"][number];

/** A rule as a function: its reply to a request, or nothing where the rules after it are to answer. */
export type RuleFunction = (request: RuleRequest, call: RuleCall) => Rule["reply"] | null;

/** Rules of a service in the same process, which may be functions. */
export type LocalRulesInput = Omit<RulesInput, "rules"> & { readonly rules: readonly (Rule | RuleFunction)[] };

/** How a service for a test is set up; each has a value that suits most tests. */
export interface SheafOptions {
  /** A new one by default. */
  readonly apiKey?: string;
  /** Whether requests need the key; they do by default. */
  readonly auth?: boolean;
  /** Origins of pages that may call it, `*` for all; none by default. */
  readonly cors?: string | readonly string[];
  /** Names besides localhost under which it is called. */
  readonly allowHosts?: readonly string[];
  /** How times and lists look: `service` by default. */
  readonly dialect?: "service" | "openai";
  /** Whose token limits hold; `standard` by default. */
  readonly tier?: "free" | "standard";
  /** Whether direct calls are held to the tier's requests per minute; not by default. */
  readonly rateLimit?: boolean;
  /** Whether to answer what the API would refuse, such as strict schemas that are none, and to ignore unknown fields and tools of vendors' services; not by default. */
  readonly lenient?: boolean;
  /** How long answers take: a number is milliseconds; `instant` by default. */
  readonly pace?: "instant" | "realistic" | number;
  /** Another seed has other answers; 1 by default. */
  readonly seed?: number;
  /** What answers; where no rule matches, the mock engine does. */
  readonly rules?: LocalRulesInput;
  readonly faults?: FaultsInput;
  /** Addresses of this machine that get a signed event when a batch ends, as OpenAI sends them; none by default. */
  readonly webhooks?: string | readonly string[];
  /** What they are signed with; a new secret by default. */
  readonly webhookSecret?: string;
  /** `{ speed: 0 }` for a clock that stands still until it is turned forward. */
  readonly clock?: SheafClockOptions;
  /** In place of the built-in list. */
  readonly models?: readonly SheafModel[];
  /** Whether any other name is a model, too; with `false`, those of the list alone. */
  readonly anyModel?: boolean;
  /** Of uploads; 200 MB and 50,000 requests by default. */
  readonly fileLimits?: { readonly bytes?: number; readonly requests?: number; readonly lineBytes?: number };
  /** How many bytes of bodies the request log keeps; 64 MB by default. */
  readonly logBodyBytes?: number;
}

/** Options of the fixture of vitest. vitest's configuration passes them on, so they are plain JSON. */
export interface SheafFixtureOptions extends Omit<SheafOptions, "rules">, EnvironmentOptions {
  /** What answers in each test at first; where no rule matches, the mock engine does. */
  readonly rules?: RulesInput;
}

interface EnvironmentOptions {
  /**
   * Whether the environment has the address and the key during each test, for the clients of OpenAI, Anthropic and Gemini
   * (`OPENAI_BASE_URL` …); not by default. Tests that run at the same time in one process share it.
   */
  readonly env?: boolean;
}

export interface SheafClockOptions {
  /** Seconds of the service's time in one of yours; 1 by default. */
  readonly speed?: number;
  /** When it starts, in Unix milliseconds; now by default. */
  readonly start?: number;
}

/** A model that requests may name. */
export interface SheafModel {
  readonly id: string;
  readonly ownedBy: string;
  /** Other names under which requests may ask for it. */
  readonly aliases: readonly string[];
  /** Whether it reasons before it answers. */
  readonly reasoning: boolean;
}

/** Conditions as in the `match` of a rule, and of a request's path, method and status. All must hold. */
export type RequestConditions = NonNullable<RulesInput["rules"][number]["match"]> & RequestOutline;

/** Which requests: conditions, or a function. */
export type RequestWhere = RequestConditions | ((request: LoggedRequest) => boolean);

/** Which requests to show. */
export interface RequestQuery extends RequestOutline {
  readonly where?: RequestWhere;
}

interface RequestOutline {
  /** What the path begins with. */
  readonly path?: string;
  readonly method?: string;
  /** `404`, or `4xx`. */
  readonly status?: string | number;
}

/** A service of its own for a test, in the caller's process. It keeps nothing beyond `stop`. */
export interface Sheaf extends AsyncDisposable {
  /** `http://127.0.0.1:…`, without a slash at the end. */
  readonly url: string;
  /** The same with `/v1`: what OpenAI clients call `baseURL`. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** What webhooks are signed with; null without `webhooks`. */
  readonly webhookSecret: string | null;
  readonly rules: {
    /** Replaces all rules. Rejects with all that is wrong with them. */
    set(rules: LocalRulesInput): Promise<void>;
    clear(): Promise<void>;
  };
  readonly faults: {
    readonly settings: FaultSettings;
    /** Replaces all faults: absent fields are off. */
    set(faults: FaultsInput): void;
    /** Has the first requests of a kind fail: `[{ target: "uploads", first: 2, status: 503 }]`. All else stays. */
    add(counts: NonNullable<FaultsInput["counts"]>): void;
    clear(): void;
  };
  readonly clock: {
    /** Unix milliseconds. */
    now(): number;
    /** Turns it forward (`90s`, `10m`, `24h`); resolves when what fell due on the way is done. */
    advance(duration: string): Promise<void>;
  };
  /** The requests that the server keeps, newest first, with keys masked. */
  requests(query?: RequestQuery): Promise<LoggedRequest[]>;
  /**
   * The newest request that meets `where`, as soon as there is one; it may be there already. It may still be in progress,
   * unless `where` has a status. Rejects after `timeout` milliseconds; 4,000 by default.
   */
  waitForRequest(where: RequestWhere, options?: { readonly timeout?: number }): Promise<LoggedRequest>;
  /**
   * A part of the service with rules, faults, files, batches and requests of its own, so that tests that run side by side
   * can share it. Default: a name that no other has.
   */
  scope(name?: string): SheafScope<LocalRulesInput>;
  /** Removes all that the scope `default` has: rules, faults, files, batches and requests. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

/** A scope of a service, steered over HTTP. The clock is that of all scopes. */
export interface SheafScope<Rules = RulesInput> {
  /** The service's address with the path of the scope, without a slash at the end. */
  readonly url: string;
  /** The same with `/v1`: what OpenAI clients call `baseURL`. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** What webhooks are signed with, those of all scopes; null without `webhooks`. */
  readonly webhookSecret: string | null;
  readonly rules: {
    /** Replaces all rules. Rejects with all that is wrong with them. */
    set(rules: Rules): Promise<void>;
    clear(): Promise<void>;
  };
  readonly faults: {
    read(): Promise<FaultSettings>;
    /** Replaces all faults: absent fields are off. */
    set(faults: FaultsInput): Promise<void>;
    /** Has the first requests of a kind fail: `[{ target: "uploads", first: 2, status: 503 }]`. All else stays. */
    add(counts: NonNullable<FaultsInput["counts"]>): Promise<void>;
    clear(): Promise<void>;
  };
  readonly clock: {
    /** Unix milliseconds. */
    now(): Promise<number>;
    /** Turns it forward (`90s`, `10m`, `24h`); resolves when what fell due on the way is done. */
    advance(duration: string): Promise<void>;
  };
  /** The requests that the server keeps, newest first, with keys masked. */
  requests(query?: RequestQuery): Promise<LoggedRequest[]>;
  /**
   * The newest request that meets `where`, as soon as there is one; it may be there already. It may still be in progress,
   * unless `where` has a status. Rejects after `timeout` milliseconds; 4,000 by default.
   */
  waitForRequest(where: RequestWhere, options?: { readonly timeout?: number }): Promise<LoggedRequest>;
  /** Removes all that the scope has: rules, faults, files, batches and requests. */
  reset(): Promise<void>;
}

/** How a service in a process of its own is set up; the fields are those of `startSheaf`. */
export interface SheafProcessOptions extends Omit<SheafOptions, "rules" | "clock" | "models"> {
  /** What answers; where no rule matches, the mock engine does. */
  readonly rules?: RulesInput;
  /** `{ speed: 0 }` for a clock that stands still until it is turned forward. */
  readonly clock?: Pick<SheafClockOptions, "speed">;
  /** Further flags of `sheaf serve`. */
  readonly flags?: readonly string[];
}

/** Options of the fixture of jest. */
export type SheafJestOptions = SheafProcessOptions & EnvironmentOptions;

/** A service in a process of its own. Without `scope` it is steered in the scope `default`. */
export interface SheafProcess extends SheafScope, AsyncDisposable {
  readonly pid: number;
  /** A scope of its own; default: a name that no other has. */
  scope(name?: string): SheafScope;
  stop(): Promise<void>;
}

import { type Family, fail } from "./kinds.ts";

/** One call or line that is to be answered. */
export interface Ask {
  /** How often this line has been asked, from 1. */
  readonly nth: number;
  /** Milliseconds since the first line was asked that has this behaviour. */
  readonly elapsed: number;
  /** The service's clock, in Unix milliseconds. */
  readonly now: number;
  readonly model: string;
  readonly question: string;
}

export interface Answered {
  /** The finish reason as it stands on the wire; what a whole answer has when left out. */
  readonly finish?: string | null;
  readonly text?: string | null;
  /** Further members of the message, or of Gemini's and Anthropic's content, and members in place of the choice's. */
  readonly message?: Record<string, unknown>;
  readonly choice?: Record<string, unknown>;
  readonly promptTokens?: number;
}

export interface Refused {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
  /** After so many milliseconds the same request is answered. */
  readonly waits?: number;
}

export type Outcome = Answered | Refused | "hang" | "cut" | "cut in the answer";

/** How one line is answered. */
export interface LineBehaviour {
  /** Only in calls: there is nothing like it in a batch. */
  readonly isDirect?: true;
  answer(ask: Ask): Outcome;
}

/** Ways to be answered, by name. */
export type Table = Record<string, LineBehaviour>;

/** The same outcome each time. */
export const always = (outcome: Outcome): LineBehaviour => ({ answer: () => outcome });
/** An outcome for the first so many times. */
export const times = (count: number, outcome: (ask: Ask) => Outcome): LineBehaviour => ({
  isDirect: true,
  answer: (ask) => (ask.nth <= count ? outcome(ask) : {}),
});

/** Refuses until `length` milliseconds have passed since the first time. */
export function wait(
  family: Family,
  length: number,
  say: (left: number, now: number) => { headers?: Record<string, string>; message?: string; details?: object },
  status = 429,
): LineBehaviour {
  return {
    isDirect: true,
    answer({ elapsed, now }) {
      if (elapsed >= length) return {};
      const left = length - elapsed;
      const { headers, message = "Rate limit reached.", details } = say(left, now);
      return { ...fail(family, status, message, { ...details }), ...(headers && { headers }), waits: left };
    },
  };
}

/** Whole seconds, as `retry-after` has them. */
export const seconds = (left: number): string => String(Math.ceil(left / 1_000));
/** A duration as Go writes it, and OpenAI and Groq in their headers and messages: 644ms, 6s, 1m2.5s. */
export function writeDuration(left: number): string {
  if (left < 1_000) return `${left}ms`;
  const minutes = Math.floor(left / 60_000);
  return `${minutes > 0 ? `${minutes}m` : ""}${(left % 60_000) / 1_000}s`;
}

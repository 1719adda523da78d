import { z } from "zod";
import { proxyForm } from "#contract";
import { deadlineExpected, parseDeadline } from "./parse-deadline.ts";

/** The message of each type names what it expects, so that it can end a sentence. */
export const wholeNumber = (least: number, most: number) => {
  const expected = `a whole number from ${least} to ${most}`;
  return z
    .string(expected)
    .regex(/^\d{1,16}$/, expected)
    .transform(Number)
    .refine((value) => value >= least && value <= most, expected);
};

/** One of the names, which help lists. */
export function oneOf<const T extends string>(names: readonly T[]) {
  const list = listNames(names);
  return z.literal(names, list).describe(list);
}

function listNames(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

const shareExpected = "a share from 0 to 1, such as 0.05";

/** A share of all requests. */
export const share = z
  .string(shareExpected)
  .regex(/^(0|1|0?\.\d{1,9}|0\.\d{1,9}|1\.0+)$/, shareExpected)
  .transform(Number);

export const path = z.string().min(1, "a path");

/** Any text but none: `expected` says which. */
export const text = (expected: string) => z.string(expected).min(1, expected);

/** Several values with commas between them. */
export function listOf<T extends z.ZodType<unknown, string>>(item: T, expected: string) {
  return z
    .string(expected)
    .transform((list) => list.split(",").map((part) => part.trim()))
    .pipe(z.array(item, expected).min(1, expected));
}

/** Texts of a flag that may be repeated. */
export const repeated = (form: RegExp, expected: string) => z.array(z.string().regex(form, expected), expected);

const hour = 60 * 60_000;
const units = { h: hour, d: 24 * hour, w: 7 * 24 * hour, mb: 1e6, gb: 1e9, tb: 1e12 } as const;

/** A number and its unit, as milliseconds or bytes. */
const quantity = (form: RegExp, expected: string) =>
  z.string(expected).transform((typed, { addIssue }) => {
    const { number = "0", unit = "h" } = form.exec(typed.toLowerCase())?.groups ?? {};
    const value = Number(number) * (units[unit as keyof typeof units] ?? 0);
    if (value === 0) addIssue(expected);
    return value;
  });

/** Milliseconds. */
export const age = quantity(/^(?<number>\d{1,5})(?<unit>[hdw])$/, "an age such as 12h, 30d or 8w");
/** Bytes. */
export const size = quantity(/^(?<number>\d{1,6}(\.\d{1,3})?)(?<unit>[mgt]b)$/, "a size such as 500mb, 20gb or 1.5tb");

const addressExpected = "an address such as http://127.0.0.1:8000/v1, without a user or password in it";

export const address = z
  .url({ protocol: /^https?$/, error: addressExpected })
  .transform((typed) => new URL(typed))
  .refine(({ username, password }) => username === "" && password === "", addressExpected);

const ownProxyExpected = "http://HOST:PORT or socks5://HOST:PORT without a password, or - for the environment's";

/** A connection's own proxy; null to take it back. */
export const ownProxy = z
  .string(ownProxyExpected)
  .transform((typed) => (typed === "-" ? null : typed))
  .pipe(z.string(ownProxyExpected).regex(proxyForm, ownProxyExpected).nullable());

export const variable = z.string().regex(/^[A-Za-z_]\w{0,99}$/, "the name of an environment variable");

export const modelNames = repeated(/^[^=]+=.+$/, "NAME=UPSTREAM_NAME, or *=UPSTREAM_NAME for all");

/** A number for all models, or for one of them: `0.15`, `gpt-4o=2.5`. */
const byModel = (expected: string, isRight: (amount: number) => boolean) =>
  z.array(
    z.string(expected).transform((typed, { addIssue }) => {
      const at = typed.lastIndexOf("=");
      const number = typed.slice(at + 1);
      const amount = /^(\d{1,9}(\.\d{1,9})?|\.\d{1,9})$/.test(number) ? Number(number) : Number.NaN;
      if (at === 0 || !isRight(amount)) addIssue(expected);
      return { model: at === -1 ? null : typed.slice(0, at).trim(), amount };
    }),
    expected,
  );
export const modelPrices = byModel("[MODEL=]USD for a million tokens, such as 0.15 or gpt-4o=2.5", (usd) => usd >= 0);
export const modelFactors = byModel(
  "[MODEL=]N from 0.01 to 10, such as 0.5 or gpt-4o=0.5",
  (factor) => factor >= 0.01 && factor <= 10,
);
export type AmountsByModel = z.infer<typeof modelPrices>;

/** A moment that is still to come, in Unix milliseconds. */
export const deadline = (now: number) =>
  z.string(deadlineExpected).transform((typed, { addIssue }) => {
    const moment = parseDeadline(typed, now);
    if (moment === null) addIssue(deadlineExpected);
    return moment ?? 0;
  });

const fastestClock = 1_000_000;
const speedExpected = `a number from 0 (stands still) to ${fastestClock}`;

/** Seconds of the server's clock in one of the machine's. */
export const clockSpeed = z
  .string(speedExpected)
  .regex(/^\d{1,7}(\.\d{1,6})?$/, speedExpected)
  .transform(Number)
  .refine((speed) => speed <= fastestClock, speedExpected);

const modelPortsExpected =
  "ports by ollama, lm-studio, llama-cpp, vllm or ray-serve, such as ollama=11500,llama-cpp=8081";

/** The ports at which the app looks for servers of models, by their presets. */
export const modelPorts = z
  .string(modelPortsExpected)
  .regex(/^((ollama|lm-studio|llama-cpp|vllm|ray-serve)=\d{1,5}(,(?=[a-z])|$))+$/, modelPortsExpected)
  .transform((list) =>
    Object.fromEntries(
      list.split(",").map((entry): [string, number] => {
        const [preset = "", at] = entry.split("=");
        return [preset, Number(at)];
      }),
    ),
  )
  .refine((ports) => Object.values(ports).every((at) => at > 0 && at <= 65_535), modelPortsExpected);

const toleranceExpected = "a number from 0, such as 0.01";

export const tolerance = z
  .string(toleranceExpected)
  .regex(/^(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/, toleranceExpected)
  .transform(Number);

export const locale = z.string().refine(isLocale, "a locale such as de or en-US");

function isLocale(typed: string): boolean {
  try {
    return Intl.getCanonicalLocales(typed).length === 1;
  } catch {
    return false;
  }
}

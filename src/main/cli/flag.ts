import { z } from "zod";
import { CliError, exitCodes } from "./cli-error.ts";

/** A flag of the command line. Its name is its key in the table: `maxLines` is `--max-lines`. */
export interface Flag<S extends z.ZodType = z.ZodType> {
  /** What stands for its value in help, such as `<N>`; absent for a switch. */
  readonly value?: string;
  readonly short?: string;
  /** One sentence, with the names it takes and its default. */
  readonly help: string;
  /** The heading that it stands under; absent for the usual one. */
  readonly group?: string;
  readonly isRequired: boolean;
  /** `--no-NAME`: true until it is given. */
  readonly isNegated: boolean;
  readonly repeats: boolean;
  /** Its value is never printed: a key, or an address that may have one in it. */
  readonly isSecret: boolean;
  /** The key of the flag that it can't be given with. */
  readonly conflicts?: string;
  /** Reads what was typed; `now` is the wall clock's, for a time to come. */
  readonly schema: (now: number) => S;
}
export type FlagTable = Readonly<Record<string, Flag>>;
export type FlagsOf<F extends FlagTable> = z.infer<
  z.ZodObject<{ -readonly [K in keyof F]: F[K] extends Flag<infer S> ? S : never }>
>;

interface Details {
  readonly short?: string;
  /** The default in words, where it isn't one value. */
  readonly otherwise?: string;
  readonly isSecret?: boolean;
  readonly conflicts?: string;
}
type Filling = { readonly required?: true; readonly default?: unknown };
type Source<S> = S | ((now: number) => S);

/** A flag with a value, which `type` reads. The message of a type ends the sentence "--name expects …". */
export function flag<S extends z.ZodType>(
  value: string,
  help: string,
  type: Source<S>,
  details: Details & { readonly default: z.output<S> },
): Flag<z.ZodDefault<S>>;
export function flag<S extends z.ZodType>(
  value: string,
  help: string,
  type: Source<S>,
  details: Details & { readonly required: true },
): Flag<S>;
export function flag<S extends z.ZodType>(
  value: string,
  help: string,
  type: Source<S>,
  details?: Details,
): Flag<z.ZodOptional<S>>;
export function flag(value: string, help: string, type: Source<z.ZodType>, details: Details & Filling = {}): Flag {
  const { required, default: filling, otherwise = filling, isSecret = false, ...others } = details;
  const read = typeof type === "function" ? type : () => type;
  const names = typeof type === "function" ? undefined : type.description;
  const repeats = type instanceof z.ZodArray;
  const fill = (schema: z.ZodType) => (filling === undefined ? schema.optional() : schema.default(filling));
  return {
    ...others,
    value,
    help: `${help}${names === undefined ? "" : `: ${names}`}${repeats ? "; may be repeated" : ""}${toAside(otherwise)}`,
    isRequired: required === true,
    isNegated: false,
    isSecret,
    repeats,
    schema: (now) => (required ? read(now) : fill(read(now))),
  };
}

/** A flag without a value: false until it is given. */
export function toggle(help: string, { otherwise, ...details }: Details = {}): Flag<z.ZodDefault<z.ZodBoolean>> {
  const aside = toAside(otherwise);
  const schema = () => z.boolean().default(false);
  const never = { isRequired: false, isNegated: false, isSecret: false, repeats: false };
  return { ...details, ...never, help: `${help}${aside}`, schema };
}

/** A flag `--no-NAME`: NAME is true until it is given. */
export function negation(help: string): Flag<z.ZodDefault<z.ZodBoolean>> {
  return { ...toggle(help), isNegated: true, schema: () => z.boolean().default(true) };
}

function toAside(standard: unknown): string {
  return standard === undefined || Array.isArray(standard) ? "" : ` (default: ${String(standard)})`;
}

/** The flags below a heading of the help. The cast: `Object.fromEntries` forgets which name has which row. */
export function inGroup<F extends FlagTable>(group: string, flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([name, row]) => [name, { ...row, group }])) as unknown as F;
}

/** The flag as help shows it: `-o, --output <OUT>`. */
export function spellFlag(name: string, { short, value, isNegated }: Flag): string {
  const long = `--${isNegated ? "no-" : ""}${toKebabCase(name)}`;
  return [...(short === undefined ? [] : [`${short},`]), long, ...(value === undefined ? [] : [value])].join(" ");
}

/** Checks what was collected. Fails with one sentence about the first wrong flag. */
export function parseFlags<F extends FlagTable>(
  flags: F,
  given: Readonly<Record<string, unknown>>,
  now = 0,
): FlagsOf<F> {
  const shape = Object.fromEntries(Object.entries(flags).map(([name, { schema }]) => [name, schema(now)]));
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data as FlagsOf<F>;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? "");
  const instead = flags[name]?.isSecret ? "" : `, not '${String(given[name])}'`;
  throw new CliError(`--${toKebabCase(name)} expects ${issue?.message}${instead}.`, exitCodes.unusable);
}

export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]|\d+(?=[a-z])/g, (part) => `-${part.toLowerCase()}`);
}

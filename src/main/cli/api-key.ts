import { randomBytes } from "node:crypto";
import { CliError, exitCodes } from "./cli-error.ts";
import { apiKeySchema } from "./flags.ts";

export interface ApiKey {
  readonly value: string;
  /** True for one that nobody knows yet. */
  readonly isNew: boolean;
}

/** The key from the flag, else from SHEAF_API_KEY, else a new one. */
export function findApiKey(flag: string | undefined, variable: string | undefined): ApiKey {
  if (flag !== undefined) return { value: flag, isNew: false };
  if (!variable) return { value: `sk-sheaf-${randomBytes(24).toString("base64url")}`, isNew: true };
  const parsed = apiKeySchema.safeParse(variable);
  if (parsed.success) return { value: parsed.data, isNew: false };
  throw new CliError(
    `SHEAF_API_KEY holds no usable key: it takes ${parsed.error.issues[0]?.message}.`,
    exitCodes.unusable,
  );
}

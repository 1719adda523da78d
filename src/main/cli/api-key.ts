import type { SecretStore } from "#service";
import { ensureApiKey } from "../secrets/index.ts";
import { CliError, exitCodes } from "./cli-error.ts";
import { apiKeySchema } from "./flags.ts";

export interface ApiKey {
  readonly value: string;
  /** `new` for one that nobody knows yet. */
  readonly origin: "given" | "kept" | "new";
}

/** The key from the flag, else from SHEAF_API_KEY. */
export function readGivenKey(flag: string | undefined, variable: string | undefined): ApiKey | null {
  if (flag !== undefined) return { value: flag, origin: "given" };
  if (!variable) return null;
  const parsed = apiKeySchema.safeParse(variable);
  if (parsed.success) return { value: parsed.data, origin: "given" };
  throw new CliError(
    `SHEAF_API_KEY holds no usable key: it takes ${parsed.error.issues[0]?.message}.`,
    exitCodes.unusable,
  );
}

/** The key that is kept; where there is none yet, a new one. */
export async function openKeptKey(secrets: SecretStore): Promise<ApiKey> {
  const { value, isNew } = await ensureApiKey(secrets);
  return { value, origin: isNew ? "new" : "kept" };
}

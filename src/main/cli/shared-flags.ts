import { mockServerDefaults, tierSchema } from "#contract";
import type { SecretChoice } from "#main/secrets";
import type { engineFlags } from "./engine-flags.ts";
import { type FlagsOf, flag, toggle } from "./flag.ts";
import { oneOf, path, wholeNumber } from "./flag-types.ts";

/** Which models requests may name. */
export const modelFlags = {
  models: flag("<FILE>", "models that requests may name, YAML or JSON", path, { otherwise: "the built-in four" }),
  anyModel: toggle("accept every other model name, too"),
};

export const tierFlags = {
  tier: flag("<NAME>", "limits of context, output and direct calls", oneOf(tierSchema.options), {
    default: mockServerDefaults.tier,
  }),
};

/** Listed here and not imported: a command's help must not wait for the service to load. */
export const secretChoices = ["auto", "keychain", "file", "memory"] as const satisfies readonly SecretChoice[];

export const secretFlags = {
  secrets: flag("<PLACE>", "where keys are kept", oneOf(secretChoices), { otherwise: "SHEAF_SECRETS, else auto" }),
};

/** Where a server keeps its data. */
export const storageFlags = {
  dataDir: flag("<DIR>", "folder for files and batches", path, { otherwise: "Sheaf's own in your home folder" }),
  ephemeral: toggle("keep everything in a temporary folder that is removed at the end", { conflicts: "dataDir" }),
  adopt: toggle("register the uploads of the data folder again, where its journal is lost"),
  durability: flag("<WHEN>", "when answers outlive a power cut", oneOf(["always", "second", "never"]), {
    otherwise: "second",
  }),
  ...secretFlags,
};

const count = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** Which requests of a file are sent, and which pictures go with them. */
export const rowFlags = {
  first: flag("<N>", "only the first N requests", count, { conflicts: "random" }),
  random: flag("<N>", "only N requests, chosen by the file's content: the same ones each time", count),
  sendPictures: flag("<FOLDER>", "send the pictures below it that requests name by a path", path, {
    otherwise: "the path is sent",
  }),
};

export type EngineFlags = FlagsOf<typeof engineFlags>;
export type ModelFlags = Partial<FlagsOf<typeof modelFlags>>;
export type TierFlags = FlagsOf<typeof tierFlags>;
export type StorageFlags = FlagsOf<typeof storageFlags>;

/**
 * Types of the package that follow from zod schemas. Its declarations have them written out in place of this module
 * (`scripts/package/wire-types.ts`), so that they need no zod.
 */
import type { z } from "zod";
import type { faultSettingsSchema } from "#contract";

export type { FaultSettings, LoggedRequest } from "#contract";
export type { RulesInput } from "#main/engines";

/** Absent fields are off. */
export type FaultsInput = z.input<typeof faultSettingsSchema>;

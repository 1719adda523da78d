import { z } from "zod";
import { type Preset, presetSchema } from "#contract";
import rows from "./presets.json" with { type: "json" };

/** The services that a connection can be made to by name alone, in the order in which they are offered. */
export const presets: readonly Preset[] = z.array(presetSchema).parse(rows);

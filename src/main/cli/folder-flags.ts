import { type FlagsOf, flag, toggle } from "./flag.ts";
import { path } from "./flag-types.ts";

export const doctorFlags = {
  repair: toggle("make the repairs that are safe, list them, and confirm the damage"),
  export: flag("<OUT>", "folder for the sound answers of each batch, as JSON Lines; empty or not there yet", path),
  json: toggle("print one JSON object with all findings"),
};
export type DoctorFlags = FlagsOf<typeof doctorFlags>;

export const backupFlags = { json: toggle("print one JSON object with what is in it") };
export type BackupFlags = FlagsOf<typeof backupFlags>;

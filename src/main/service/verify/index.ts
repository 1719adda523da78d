export type { Check, Finding, Range, Reading, Text, Verifier, VerifyOptions } from "./types.ts";

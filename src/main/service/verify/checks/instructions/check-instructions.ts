import type { Check } from "../../types.ts";

/** Whether the response keeps to the instructions of the prompt. */
export const checkInstructions: Check = () => [];

import { type ClockTime, isSameTime, type NumberMention, readClockTimes } from "../../text/index.ts";
import type { Finding } from "../../types.ts";
import { type Context, createFinding, quote } from "./context.ts";

/** Every time of day in the response has to stand in the evidence or in the prompt. */
export function checkTimes({ answer, evidence, numbers, reading, subject }: Context): readonly Finding[] {
  const said = readClockTimes(answer.text.text);
  if (said.length === 0) return [];
  const texts = new Set([evidence.source.text.text, reading.prompt.text]);
  const known = [...texts].flatMap(readClockTimes);
  return said
    .filter((time) => !known.some((other) => isSameTime(time, other)) && !isLength(time, numbers))
    .map(({ start, end }) => {
      const reason = `${subject} doesn't mention ${quote(answer.text.text.slice(start, end))}.`;
      return createFinding("contradicted", { start, end }, reason);
    });
}

/** "4:10" for "4 min 10 s". */
function isLength({ minutes }: ClockTime, numbers: readonly NumberMention[]): boolean {
  const [whole, part] = [Math.floor(minutes / 60), minutes % 60];
  return numbers.some(({ value, unit }, at) => value === whole && unit !== null && numbers[at + 1]?.value === part);
}

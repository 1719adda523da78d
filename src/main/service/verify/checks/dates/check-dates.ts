import type { Check } from "../../types.ts";
import { checkAges } from "./check-ages.ts";
import { checkCalendar } from "./check-calendar.ts";
import { checkDurations } from "./check-durations.ts";
import { checkOrder } from "./check-order.ts";
import { checkSpans } from "./check-spans.ts";
import { readDated } from "./dated-text.ts";

/** Whether the dates, lengths of time and ages of the response fit each other and those of the prompt and the document. */
export const checkDates: Check = ({ prompt, response, document }) => {
  const dated = readDated(response);
  // They may be long, and few responses say what has to be held against them.
  const sources = () => [document, prompt].flatMap((text) => (text === null ? [] : [readDated(text)]));
  return [
    ...checkCalendar(dated),
    ...checkSpans(dated),
    ...checkDurations(dated, sources),
    ...checkAges(dated, sources),
    ...checkOrder(dated),
  ];
};

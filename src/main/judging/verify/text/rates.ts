import { findUnit } from "./units.ts";

/** What a number is counted by, as "/mo", and where that ends. */
export interface Rate {
  readonly name: string;
  /** Whether it is a unit that is known, so that another one is something else: "per head" may be "per person". */
  readonly isKnown: boolean;
  readonly end: number;
}

/** Times in the other languages that are known. */
const times: ReadonlyMap<string, string> = new Map(
  [
    "s sekunde seconde segundo secondo",
    "min minuten minuto",
    "h stunde heure hora ora",
    "d tag jour día dia giorno",
    "wk woche semaine semana settimana",
    "mo monat mois mes mese mês",
    "yr annum jahr an année anno año ano",
  ].flatMap((line) => {
    const [name = "", ...words] = line.split(" ");
    return words.map((word) => [word, name] as const);
  }),
);
/** "Per", and what says the same before a time. */
const per =
  /\s?\/\s?(\p{L}{1,12})|[\s-](?:per|pro|je|par)[\s-](\p{L}{1,20})|\s(?:(?:an?|each|every|im|por|al|alla|ao|à)\s|(?:all|l)['’])(\p{L}{1,12})/uy;

/** What a number is counted by: "per month", "a year", "/h", "pro Stunde", "al mese". Null where nothing says it. */
export function readRate(text: string, start: number): Rate | null {
  per.lastIndex = start;
  const found = per.exec(text);
  if (found === null) return null;
  const [, stroke, anything, time] = found;
  const word = (stroke ?? anything ?? time ?? "").toLowerCase();
  const unit = findUnit(word);
  const name = times.get(word) ?? (unit?.dimension === "time" || time === undefined ? unit?.name : undefined);
  const counted = name ?? (anything === undefined || word === "cent" ? null : word);
  return counted === null ? null : { name: `/${counted}`, isKnown: name !== undefined, end: per.lastIndex };
}

import { francAll } from "franc-min";
import { broken, followed, type Instruction, isConditional, type Rule } from "./instruction.ts";
import data from "./languages.json" with { type: "json" };

interface Language {
  /** ISO 639-3, as the detector names it. */
  readonly code: string;
  /** Where it has scripts that show it by themselves. */
  readonly scripts?: readonly string[];
}

const languages: Readonly<Record<string, Language>> = data;

const name = `(${Object.keys(languages).join("|")})`;
const about =
  "(?:\\s+(?:your|the|whole|entire|full|answer|response|reply|everything|it|this|question|to|only|always|back|summary|me|us|both|exclusively)){0,6}?";
const asked = new RegExp(
  `^(?:only |always |just )?(?:answer|respond|reply|write|output|give|provide|explain|summari[sz]e)${about}\\s+(?:only\\s+)?in\\s+(?:only\\s+)?${name}\\b`,
  "i",
);
const askedOfAnswer = new RegExp(
  `^(?:your|the) (?:\\w+ )?(?:answer|response|reply|output|summary) (?:must|should|has to|needs to|is to) be (?:written )?(?:entirely |only )?in ${name}\\b`,
  "i",
);
const askedFirst = new RegExp(`^in ${name}\\s*[,:]`, "i");
const translation = new RegExp(`^translate\\b[^:"]{0,80}?\\b(?:in)?to ${name}\\b`, "i");
const either = /^[\s,]*(?:and|or|\/)\s/i;

/** Fewer letters than these are too few to recognize a language by. */
const fewestLetters = 50;
/** The detector looks at so much of a response. */
const longestSample = 600;
/** Below this share of the best score the wanted language is ruled out; related ones come up to about 0.9. */
const leastScore = 0.8;

/** "Answer in French", "Translate … into German". A response too short or too mixed to tell is left alone. */
export const checkLanguage: Rule = (instruction, reading) => {
  const found = findLanguage(instruction);
  if (found === null) return [];
  const response = reading.response.text;
  const spoken = detect(response, found.language);
  if (spoken === "unclear") return [];
  if (spoken === "wanted")
    return [followed(instruction, reading, `The response is in ${found.name}, as the prompt asks.`)];
  return [broken(instruction, reading, `The prompt asks for ${found.name}, and the response is in another language.`)];
};

function findLanguage({ text }: Instruction): { name: string; language: Language } | null {
  const found = asked.exec(text) ?? askedOfAnswer.exec(text) ?? askedFirst.exec(text) ?? translation.exec(text);
  const language = languages[found?.[1]?.toLowerCase() ?? ""];
  if (!found || language === undefined) return null;
  if (isConditional(text, found.index, found[0].length) || either.test(text.slice(found[0].length))) return null;
  const spelled = found[1] ?? "";
  return { name: spelled.charAt(0).toUpperCase() + spelled.slice(1).toLowerCase(), language };
}

function detect(response: string, { code, scripts }: Language): "wanted" | "other" | "unclear" {
  const sample = proseOf(response);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  if (scripts !== undefined) {
    const own = sample.match(new RegExp(`[${scripts.map((one) => `\\p{Script=${one}}`).join("")}]`, "gu")) ?? [];
    if (own.length > 0) return own.length > letters / 4 ? "wanted" : "unclear";
    return letters >= fewestLetters / 2 ? "other" : "unclear";
  }
  if (letters < fewestLetters) return "unclear";
  const scores = new Map(francAll(sample, { only: codes }));
  const score = scores.get(code) ?? 0;
  if (score >= 1) return "wanted";
  if (score >= leastScore) return "unclear";
  return linesOf(sample).some((line) => isIn(line, code)) ? "unclear" : "other";
}

/** Whether one line of a mixed response is in the language. */
function isIn(line: string, code: string): boolean {
  return francAll(line, { only: codes })[0]?.[0] === code;
}

const codes = Object.values(languages).map(({ code }) => code);

function linesOf(text: string): string[] {
  return text
    .split(/\n|(?<=[.!?])\s/)
    .filter((line) => line.length >= 20)
    .slice(0, 10);
}

/** The response without code, addresses and what is quoted: those have no language, or that of someone else. */
function proseOf(response: string): string {
  return response
    .slice(0, longestSample * 4)
    .replaceAll(/```[^`]*(?:```|$)|`[^`\n]*`|https?:\/\/\S+|"[^"\n]{0,200}"|“[^”\n]{0,200}”|[{}[\]<>]/g, " ")
    .slice(0, longestSample);
}

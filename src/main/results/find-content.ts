import { endOfJsonString } from "#contract";

// Regular expressions of JSON. No two branches of one begin with the same character, so that none takes long on any text.
const plain = String.raw`"[^"\\\0-\x1f]*"`;
const string = String.raw`"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\0-\x1f]*)*"`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?`;
const scalar = `(?:${string}|${number}|null|true|false)`;
const [colon, comma] = [": ?", ", ?"];

/** Items up to the end of a list or an object: no comma is the last of them. */
function listOf(item: string): string {
  return `(?:${item}(?:${comma}(?![\\]}])|(?=[\\]}])))*`;
}

/** A scalar, or a list or an object of such values. */
function nest(value: string): string {
  return `(?:${scalar}|\\[${listOf(value)}\\]|\\{${listOf(`${plain}${colon}${value}`)}\\})`;
}

const value = nest(nest(nest(scalar)));

/** A member of an object with none of these keys. Of two members with the same key the last one counts, so each key is looked for once. */
function memberBut(keys: string): string {
  return `(?!"(?:${keys})")${plain}${colon}${value}`;
}

const ofLine = memberBut("response");
const ofBody = `(?:"object"${colon}(?!"response")${plain}|"error"${colon}null|${memberBut("choices|object|error")})`;
const ofChoice = `(?:"finish_reason"${colon}(?:null|(?!"[eE][rR]{2}[oO][rR]")${plain})|"error"${colon}null|${memberBut("message|finish_reason|error")})`;
const ofMessage = memberBut("content");
const before = (member: string) => `(?:${member}${comma})*`;
const after = (member: string) => `(?:${comma}${member})*`;

/** What a line begins with, up to the content of its first choice. */
const head = new RegExp(
  [
    `\\{${before(ofLine)}"response"${colon}`,
    `\\{"status_code"${colon}200${comma}"request_id"${colon}${string}${comma}"body"${colon}`,
    `\\{${before(ofBody)}"choices"${colon}\\[\\{${before(ofChoice)}"message"${colon}\\{${before(ofMessage)}"content"${colon}(?=")`,
  ].join(""),
  "y",
);
/** The rest of it. */
const tail = new RegExp(
  `${after(ofMessage)}\\}${after(ofChoice)}\\}\\]${after(ofBody)}\\}\\}${after(ofLine)}\\}$`,
  "y",
);

/**
 * Finds the answer of a usual output line: a completion with one choice whose content is text. Returns undefined for any other
 * line, which `readOutcome` then parses. Parsing the whole line takes far longer.
 */
export function findContent(line: string): string | undefined {
  try {
    head.lastIndex = 0;
    if (!head.test(line)) return undefined;
    const start = head.lastIndex;
    const end = endOfJsonString(line, start);
    tail.lastIndex = end;
    if (!tail.test(line)) return undefined;
    const content: unknown = JSON.parse(line.slice(start, end));
    // Without a text, a refusal or a call is the answer.
    return typeof content === "string" && content !== "" ? content : undefined;
  } catch {
    // The content is not JSON, or the line needs more of the expression's stack than there is.
    return undefined;
  }
}

import { open } from "node:fs/promises";
import type { Problem } from "#contract";
import { findStart } from "../sources/convert-source.ts";
import { tryParseJsonObject } from "../sources/json-lines.ts";
import { readLines } from "../sources/lines.ts";
import { createPictureReader, parsePicturePlace } from "./read-picture.ts";

/** The most problems that are listed. */
const mostProblems = 100;
const maxLineBytes = 64_000_000;

/**
 * Copies a batch input file to `target` with each picture of this computer in place of its path. Only pictures in the folder
 * and below it are read. Returns the problems with their lines.
 */
export async function embedPictures(path: string, target: string, folder: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  const file = await open(target, "wx", 0o600);
  let line = 0;
  const report = (code: Problem["code"], message: string) =>
    problems.push({ code, message, param: "body.messages", line, severity: "error" });

  function embed(text: string): string {
    const request = tryParseJsonObject(text);
    if (request === null) return text;
    const readPicture = createPictureReader([folder]);
    let isChanged = false;
    const toAddress = (place: string): string => {
      if (parsePicturePlace(place).kind !== "file") return place;
      const picture = readPicture(place);
      isChanged = true;
      if ("url" in picture) return picture.url;
      if ("problem" in picture) report("picture_unreadable", picture.problem);
      else report("picture_not_allowed", `${place} is not in ${folder}, whose pictures are sent.`);
      return place;
    };
    const changed = JSON.stringify(request, (key, value: unknown) => {
      if (key !== "image_url") return value;
      if (typeof value === "string") return toAddress(value);
      return hasUrl(value) ? { ...value, url: toAddress(value.url) } : value;
    });
    return isChanged ? changed : text;
  }

  try {
    for await (const lines of readLines(path, { start: await findStart(path), maxLineBytes })) {
      for (const { bytes, cut } of lines) {
        line += 1;
        if (cut) report("invalid_json_line", "The line is longer than 64 MB.");
        if (problems.length >= mostProblems) return problems;
        await file.appendFile(bytes.includes('"image_url"') ? embed(bytes.toString("utf8")) : bytes);
        await file.appendFile("\n");
      }
    }
  } finally {
    await file.close();
  }
  return problems;
}

function hasUrl(value: unknown): value is { url: string } {
  return typeof value === "object" && value !== null && "url" in value && typeof value.url === "string";
}

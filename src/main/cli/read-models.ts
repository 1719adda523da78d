import { readFile } from "node:fs/promises";
import { type Model, parseModels, TextError } from "#service";
import { CliError, describeFileError, exitCodes } from "./cli-error.ts";

/**
 * The models of a `--models` file; undefined without one.
 * @throws CliError when it cannot be read, or with all the mistakes in it
 */
export async function readModels(file: string | undefined): Promise<readonly Model[] | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, "utf8").catch((error) => {
    throw describeFileError(error, file);
  });
  try {
    return parseModels(text, file);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw new CliError(["the models can't be used:", ...error.problems].join("\n"), exitCodes.unusable);
  }
}

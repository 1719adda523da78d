import { ORPCError, os } from "@orpc/server";
import { z } from "zod";
import { BuildError } from "../errors.ts";

const kindSchema = z.enum(["not_found", "conflict", "refused"]);

/** What crosses the border of the thread in place of an error: its kind, or its stack for the log. */
function toTold(error: unknown): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  if (error instanceof BuildError) return new ORPCError("BUILD", { message: error.message, data: error.kind });
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new ORPCError("FAULT", { message: details });
}

/** The error again, on the side of the main thread. */
export function fromTold(error: unknown): unknown {
  if (!(error instanceof ORPCError)) return error;
  const kind = kindSchema.safeParse(error.data);
  if (error.code === "BUILD" && kind.success) return new BuildError(kind.data, error.message);
  return new Error(`Build's worker: ${error.message}`, { cause: error });
}

/** The base of the worker's procedures. */
export const base = os.use(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    throw toTold(error);
  }
});

/** The same for what fails after a stream has begun. */
export async function* tellErrors<T>(events: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (error) {
    throw toTold(error);
  }
}

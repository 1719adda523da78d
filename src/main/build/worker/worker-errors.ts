import { ORPCError, os } from "@orpc/server";
import { z } from "zod";
import { BuildError } from "../errors.ts";

const kindSchema = z.enum(["not_found", "conflict", "refused"]);

/** What crosses the border of the thread in place of an error: its kind, or its stack for the log and its system code. */
function serializeError(error: unknown): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  if (error instanceof BuildError) return new ORPCError("BUILD", { message: error.message, data: error.kind });
  if (!(error instanceof Error)) return new ORPCError("FAULT", { message: String(error) });
  const data = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return new ORPCError("FAULT", { message: error.stack ?? error.message, data });
}

/** The error again, on the side of the main thread. */
export function deserializeError(error: unknown): unknown {
  if (!(error instanceof ORPCError)) return error;
  const kind = kindSchema.safeParse(error.data);
  if (error.code === "BUILD" && kind.success) return new BuildError(kind.data, error.message);
  const fault = new Error(`Build's worker: ${error.message}`, { cause: error });
  return typeof error.data === "string" ? Object.assign(fault, { code: error.data }) : fault;
}

/** The base of the worker's procedures. */
export const base = os.use(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    throw serializeError(error);
  }
});

/** The same for what fails after a stream has begun. */
export async function* serializeStreamErrors<T>(events: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (error) {
    throw serializeError(error);
  }
}

import { implement } from "@orpc/server";
import { rpcContract } from "#contract";
import type { RpcContext } from "./context.ts";
import { toRpcError } from "./errors.ts";

function isEvents(output: unknown): output is AsyncGenerator<unknown> {
  return typeof output === "object" && output !== null && Symbol.asyncIterator in output;
}

/** Streams may fail after they have begun: the same is told of that. */
async function* tellErrors(events: AsyncGenerator<unknown>, toTold: (error: unknown) => unknown) {
  try {
    yield* events;
  } catch (error) {
    throw toTold(error);
  }
}

/** The contract, to be implemented: every failure of a handler is told in the contract's terms. */
export const os = implement(rpcContract)
  .$context<RpcContext>()
  .use(async ({ context, path, next }, _input, output) => {
    const toTold = (error: unknown) => toRpcError(error, path.join("."), context);
    try {
      const result = await next();
      return isEvents(result.output) ? output(tellErrors(result.output, toTold)) : result;
    } catch (error) {
      throw toTold(error);
    }
  });

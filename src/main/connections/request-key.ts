import { createHash } from "node:crypto";
import type { Connection } from "#contract";
import { sortKeys } from "#main/answers";
import type { RequestIdentity } from "#main/base";
import { modelAt } from "./connection-settings.ts";

/** Identifies requests to a connection: by their whole content and their address. */
export function identifyRequests(
  { url, models }: Pick<Connection, "url" | "models">,
  endpoint: string,
): RequestIdentity {
  const toName = modelAt({ models });
  return {
    answeredAs: hash(url, models),
    keyOf(body) {
      const { model } = body;
      return hash(url, endpoint, typeof model === "string" ? { ...body, model: toName(model) } : body);
    },
  };
}

function hash(...values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values, sortKeys)).digest("base64");
}

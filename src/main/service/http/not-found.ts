import type { FastifyInstance } from "fastify";
import { ServiceError } from "../errors.ts";
import { quote } from "../quote.ts";

/** Finds out what a path that no route takes would have taken. */
export interface KnownPaths {
  /** Methods of the route at this path, with any method; empty for an unknown path. */
  methodsAt(path: string): readonly string[];
}

/** Notes every route that is added to the app from now on. */
export function collectPaths(app: FastifyInstance): KnownPaths {
  const methodsByPattern = new Map<string, { matches: RegExp; methods: string[] }>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methodsByPattern.get(url) ?? { matches: toRegExp(url), methods: [] };
    known.methods.push(...[method].flat());
    methodsByPattern.set(url, known);
  });
  return {
    methodsAt: (path) => {
      const routes = [...methodsByPattern.values()].filter(({ matches }) => matches.test(path));
      return [...new Set(routes.flatMap(({ methods }) => methods))];
    },
  };
}

/** The error for a request that no route takes: 405 where another method would do, 404 elsewhere. */
export function describeMiss(method: string, path: string, methods: readonly string[]): ServiceError {
  if (methods.length === 0) return new ServiceError("not_found", `There is nothing at ${method} ${quote(path)}.`);
  return new ServiceError(
    "method_not_allowed",
    `${method} is not allowed at ${quote(path)}; it takes ${methods.join(", ")}.`,
  );
}

function toRegExp(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll(/:[^/]+/g, "[^/]+").replace("*", ".+")}$`);
}

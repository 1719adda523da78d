import type { FastifyRequest } from "fastify";
import { loadTemplates, type Rules, ruleSchema, rulesSchema } from "#main/engines";
import type { Service } from "#main/service";
import { type HttpApp, ignoreBodies } from "../http-app.ts";
import { answers, failures } from "../schemas.ts";

/** Recordings have a rule for each request. */
const bodyLimit = 16_000_000;

const noRules: Rules = { fallback: "mock", rules: [] };

/** `/sheaf/rules`: what answers the calls of a scope before the engine does. It is kept in memory: no file is written. */
export function addRuleRoutes(app: HttpApp, { rules }: Service): void {
  const response = answers(rulesSchema);
  const preValidation = ({ body }: FastifyRequest) => loadTemplates(body ?? {});

  app.get("/sheaf/rules", { schema: { response } }, ({ scope }, reply) => {
    reply.send(rules.of(scope.name).rules);
  });

  app.put(
    "/sheaf/rules",
    { bodyLimit, preValidation, schema: { body: rulesSchema, response } },
    ({ scope, body }, reply) => {
      rules.set(scope.name, body);
      reply.send(rules.of(scope.name).rules);
    },
  );

  app.post(
    "/sheaf/rules",
    { bodyLimit, preValidation, schema: { body: ruleSchema, response } },
    ({ scope, body }, reply) => {
      rules.add(scope.name, body);
      reply.send(rules.of(scope.name).rules);
    },
  );

  app.register((clearing: HttpApp, _options, registered) => {
    ignoreBodies(clearing);
    const schema = { response: { 200: rulesSchema, ...failures } };
    clearing.delete("/sheaf/rules", { schema }, ({ scope }, reply) => {
      rules.set(scope.name, noRules);
      reply.send(rules.of(scope.name).rules);
    });
    registered();
  });
}

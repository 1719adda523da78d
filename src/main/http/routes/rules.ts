import type { FastifyRequest } from "fastify";
import { asObject, listObjects, ServiceError } from "#main/base";
import { loadTemplates, type Rules, ruleSchema, rulesSchema } from "#main/engines";
import type { Service } from "#main/service";
import { addBodiless, type HttpApp } from "../http-app.ts";
import { answers, failures } from "../schemas.ts";

/** Recordings have a rule for each request. */
const bodyLimit = 16_000_000;

const noRules: Rules = { fallback: "mock", rules: [] };

/** `/sheaf/rules`: what answers the calls of a scope before the engine does. It is kept in memory: no file is written. */
export function addRuleRoutes(app: HttpApp, { rules }: Service): void {
  const response = answers(rulesSchema);
  const preValidation = async ({ body }: FastifyRequest) => {
    refuseFunctions(body);
    await loadTemplates(body ?? {});
  };
  const show = (scope: string) => {
    const { rules: all, ...rest } = rules.of(scope).rules;
    return { ...rest, rules: all.map((rule) => (rule.answer ? { name: rule.name, function: true } : rule)) };
  };

  app.get("/sheaf/rules", { schema: { response } }, ({ scope }, reply) => {
    reply.send(show(scope.name));
  });

  app.put(
    "/sheaf/rules",
    { bodyLimit, preValidation, schema: { body: rulesSchema, response } },
    ({ scope, body }, reply) => {
      rules.set(scope.name, body);
      reply.send(show(scope.name));
    },
  );

  app.post(
    "/sheaf/rules",
    { bodyLimit, preValidation, schema: { body: ruleSchema, response } },
    ({ scope, body }, reply) => {
      rules.add(scope.name, body);
      reply.send(show(scope.name));
    },
  );

  addBodiless(app, (clearing) => {
    const schema = { response: { 200: rulesSchema, ...failures } };
    clearing.delete("/sheaf/rules", { schema }, ({ scope }, reply) => {
      rules.set(scope.name, noRules);
      reply.send(show(scope.name));
    });
  });
}

/** A rule that is a function is listed with its name alone. */
function refuseFunctions(body: unknown): void {
  const { rules } = asObject(body);
  if (![body, ...listObjects(rules)].some((rule) => asObject(rule).function === true)) return;
  const message = "A rule that is a function can't be sent: set it in the process of startSheaf. Leave it out here.";
  throw new ServiceError("invalid_value", message, "rules");
}

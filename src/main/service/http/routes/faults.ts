import { faultSettingsSchema } from "#contract";
import type { Service } from "../../types.ts";
import type { HttpApp } from "../app.ts";
import { ignoreBodies } from "../ignore-bodies.ts";
import { answers, failures } from "../schemas.ts";

/** `/sheaf/faults`: what is told to go wrong. PUT replaces all of it: what is absent is off. */
export function addFaultRoutes(app: HttpApp, { faults }: Service): void {
  const response = answers(faultSettingsSchema);

  app.get("/sheaf/faults", { schema: { response } }, (_request, reply) => {
    reply.send(faults.settings);
  });

  app.put("/sheaf/faults", { schema: { body: faultSettingsSchema, response } }, (request, reply) => {
    faults.set(request.body);
    reply.send(faults.settings);
  });

  app.register((clearing: HttpApp, _options, registered) => {
    ignoreBodies(clearing);
    clearing.delete(
      "/sheaf/faults",
      { schema: { response: { 200: faultSettingsSchema, ...failures } } },
      (_, reply) => {
        faults.clear();
        reply.send(faults.settings);
      },
    );
    registered();
  });
}

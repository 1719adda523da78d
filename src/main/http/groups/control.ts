import { addApart } from "../http-app.ts";
import { addBatchDeletion } from "../routes/batches.ts";
import { addClockRoutes } from "../routes/clock.ts";
import { addDocsRoutes } from "../routes/docs.ts";
import { addFaultRoutes } from "../routes/faults.ts";
import { addObserveRoutes } from "../routes/observe.ts";
import { addResetRoute } from "../routes/reset.ts";
import { addRuleRoutes } from "../routes/rules.ts";
import { type AddRoutes, addKeyedRoutes } from "./route-group.ts";

/** What steers, watches and describes the server. */
export const addRoutes: AddRoutes = (app, parts) => {
  const { service, clock, scopes, readDescription } = parts;
  addApart(app, (open) => addDocsRoutes(open, readDescription));
  addKeyedRoutes(app, parts, (control) => {
    addObserveRoutes(control, parts);
    addFaultRoutes(control, service);
    addRuleRoutes(control, service);
    addResetRoute(control, scopes);
    if (clock !== undefined) addClockRoutes(control, clock);
    addBatchDeletion(control, service);
  });
};

import { addApart } from "../http-app.ts";
import { addBatchRoutes } from "../routes/batches.ts";
import { addEndpointRoutes } from "../routes/endpoints.ts";
import { addFileRoutes } from "../routes/files.ts";
import { addModelRoutes } from "../routes/models.ts";
import { addHealthRoute } from "../routes/observe.ts";
import { addResponseRoutes } from "../routes/responses.ts";
import { type AddRoutes, addKeyedRoutes } from "./route-group.ts";

/** `/health` and the compatible API. */
export const addRoutes: AddRoutes = (app, parts) => {
  const { service, dialect } = parts;
  addApart(app, (open) => addHealthRoute(open, service));
  addKeyedRoutes(app, parts, (v1) => {
    addFileRoutes(v1, service, dialect);
    addBatchRoutes(v1, service, dialect);
    addModelRoutes(v1, service);
    addEndpointRoutes(v1, service);
    addResponseRoutes(v1, service);
  });
};

import { addAnthropicRoutes } from "../routes/anthropic.ts";
import { addAnthropicBatchRoutes } from "../routes/anthropic-batches.ts";
import { type AddRoutes, addKeyedRoutes } from "./route-group.ts";

export const addRoutes: AddRoutes = (app, parts) => {
  addKeyedRoutes(app, parts, (keyed) => {
    addAnthropicRoutes(keyed, parts.service);
    addAnthropicBatchRoutes(keyed, parts.service);
  });
};

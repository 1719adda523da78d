import { addApart } from "../http-app.ts";
import { addMcpEndpoint, addMcpManagementRoutes } from "../routes/mcp.ts";
import { addOAuthRefusals } from "../routes/no-oauth.ts";
import { type AddRoutes, addKeyedRoutes } from "./route-group.ts";

export const addRoutes: AddRoutes = (app, parts) => {
  const { service } = parts;
  addOAuthRefusals(app);
  addKeyedRoutes(app, parts, (keyed) => addMcpManagementRoutes(keyed, service));
  addApart(app, (endpoint) => addMcpEndpoint(endpoint, service, parts));
};

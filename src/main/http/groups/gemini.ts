import { addApart } from "../http-app.ts";
import { addGeminiRoutes } from "../routes/gemini.ts";
import { addGeminiBatchRoutes } from "../routes/gemini-batches.ts";
import { addGeminiFileRoutes, addGeminiUploadRoutes } from "../routes/gemini-files.ts";
import { type AddRoutes, addKeyedRoutes } from "./route-group.ts";

export const addRoutes: AddRoutes = (app, parts) => {
  const { service, admit } = parts;
  addKeyedRoutes(app, parts, (keyed) => {
    addGeminiRoutes(keyed, service);
    addGeminiFileRoutes(keyed, service);
    addGeminiBatchRoutes(keyed, service);
  });
  addApart(app, (uploads) => addGeminiUploadRoutes(uploads, service, admit));
};

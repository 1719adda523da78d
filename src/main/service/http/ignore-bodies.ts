import type { HttpApp } from "./app.ts";

/**
 * Lets the routes of an app take any body and pass over it. Clients send a content type with no body, or an empty object,
 * where none is asked for.
 */
export function ignoreBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => {
    body.resume();
    done(null);
  });
}

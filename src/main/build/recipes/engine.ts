import { Liquid } from "liquidjs";

/** The longest that one template may take for one row, in milliseconds. */
export const renderMilliseconds = 200;
/** The most characters and list items that one template may make on the way for one row. */
const renderMemory = 10_000_000;
/** The longest template, and the longest text that one may give for one row, in characters. */
const longestTemplate = 1_000_000;
export const longestText = 10_000_000;

/**
 * Tags that read files, or that change the row for the templates after this one. Without them a template sees its row
 * and nothing else.
 */
const removedTags = ["include", "render", "layout", "block", "increment", "decrement"];

/** Liquid as templates of prompts use it: strict about names and filters, without files, bounded in time and size. */
export function createTemplateEngine(): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    relativeReference: false,
    dynamicPartials: false,
    templates: {},
    parseLimit: longestTemplate,
    renderLimit: renderMilliseconds,
    memoryLimit: renderMemory,
  });
  for (const tag of removedTags) delete engine.tags[tag];
  return engine;
}

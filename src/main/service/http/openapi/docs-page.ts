import { createHash } from "node:crypto";
import { z } from "zod";
import { describeSchema, type JsonSchema, jsonSchemaSchema } from "./describe-schema.ts";

const contentSchema = z.record(z.string(), z.object({ schema: jsonSchemaSchema.optional() }));
const operationSchema = z.object({
  summary: z.string(),
  description: z.string().optional(),
  tags: z.tuple([z.string()]),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional(), schema: jsonSchemaSchema }))
    .default([]),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: contentSchema.optional() })),
});
const documentSchema = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), jsonSchemaSchema) }),
});
type Operation = z.infer<typeof operationSchema>;

/** A page for people out of the API description: no script, nothing from elsewhere, one style sheet of its own. */
export function renderDocs(description: string): { html: string; styleHash: string } {
  const { info, tags, paths, components } = documentSchema.parse(JSON.parse(description));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags[0] === name);
    const items = own.map(({ path, method, operation }) => renderOperation(method, path, operation)).join("");
    return `<section><h2 id="${toId(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${items}</section>`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${toId(name)}">${escapeHtml(name)}</h3>${renderSchema(schema)}`,
  );
  const links = [...tags.map(({ name }) => name), "Shapes"].map(
    (name) => `<a href="#${toId(name)}">${escapeHtml(name)}</a>`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${style}</style></head><body><main>
<h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description)} The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
<p>Every request but those to <code>/health</code>, <code>/openapi.json</code> and <code>/docs</code> carries the key:
<code>Authorization: Bearer YOUR_API_KEY</code>.</p>
<nav>${links.join(" ")}</nav>${groups.join("")}
<section><h2 id="shapes">Shapes</h2>${schemas.join("")}</section></main></body></html>`;
  return { html, styleHash: `sha256-${createHash("sha256").update(style).digest("base64")}` };
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters, requestBody, responses } = operation;
  const rows = parameters.map(
    ({ name, in: place, required = false, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}${required ? ", required" : ""}</td><td><code>${escapeHtml(describeSchema(schema))}</code></td></tr>`,
  );
  const answers = Object.entries(responses).map(([status, { description: meaning, content }]) => {
    return `<h4>${escapeHtml(status)} <span>${escapeHtml(meaning)}</span></h4>${renderContent(content)}`;
  });
  return `<article><h3><b>${method}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></h3>
${description === undefined ? "" : `<p>${escapeHtml(description)}</p>`}
${rows.length === 0 ? "" : `<table>${rows.join("")}</table>`}
${requestBody === undefined ? "" : `<h4>Body</h4>${renderContent(requestBody.content)}`}
<details><summary>Answers</summary>${answers.join("")}</details></article>`;
}

function renderContent(content: z.infer<typeof contentSchema> = {}): string {
  return Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `<p class="type">${escapeHtml(type)}</p>${schema === undefined ? "" : renderSchema(schema)}`,
    )
    .join("");
}

function renderSchema(schema: JsonSchema): string {
  return `<pre>${escapeHtml(describeSchema(schema))}</pre>`;
}

function toId(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #8884; --soft: #8881; }
body { margin: 0; } main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 6rem; }
h2 { margin-top: 3rem; } h3 { font-size: 1rem; margin: 0; } h4 { margin: 1rem 0 0; font-size: .875rem; }
h3 span, h4 span { font-weight: 400; } nav a { margin-right: 1rem; }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; }
code, pre { font: .8125rem/1.5 ui-monospace, monospace; } pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: 6px; }
table { border-collapse: collapse; margin-top: .75rem; } td { border-top: 1px solid var(--line); padding: .25rem 1rem .25rem 0; }
.type { margin: .5rem 0 0; font-size: .8125rem; } summary { cursor: pointer; margin-top: .75rem; } p { margin: .5rem 0; }
section > h3 { margin-top: 1.5rem; }
`;

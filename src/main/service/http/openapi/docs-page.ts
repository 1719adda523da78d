import { createHash } from "node:crypto";
import { z } from "zod";
import { describeSchema, type JsonSchema, jsonSchemaSchema } from "./describe-schema.ts";
import { writeSample } from "./docs-samples.ts";
import { docsStyle } from "./docs-style.ts";

const contentSchema = z.record(z.string(), z.object({ schema: jsonSchemaSchema.optional() }));
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.tuple([z.string()]),
  security: z.array(z.unknown()).optional(),
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

/** One call that can be made. */
type Call = z.infer<typeof operationSchema> & { readonly method: string; readonly path: string };

/** A page for people out of the API description: no script, nothing from elsewhere, one style sheet of its own. */
export function renderDocs(description: string): { html: string; styleHash: string } {
  const { info, tags, paths, components } = documentSchema.parse(JSON.parse(description));
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const groups = tags.map((tag) => ({ ...tag, calls: calls.filter((call) => call.tags[0] === tag.name) }));
  const shapes = Object.entries(components.schemas);

  const links = groups.map(({ name, calls }) => renderLinks(name, calls));
  const sections = groups.map(
    ({ name, description: about, calls }) =>
      `<section><h2 id="${toId(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(about)}</p>${calls.map(renderCall).join("")}</section>`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${docsStyle}</style></head><body><div class="page">
<nav aria-label="Calls">${links.join("")}<h2>More</h2><ul><li><a href="#shapes">Shapes</a></li><li><a href="/openapi.json">openapi.json</a></li></ul></nav>
<main><h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description)}</p>
<p>Every request but those to <code>/health</code>, <code>/openapi.json</code> and <code>/docs</code> carries a key:
<code>Authorization: Bearer YOUR_API_KEY</code>. In the samples, <code>$BASE</code> is the address of this server and
<code>$SHEAF_API_KEY</code> the key that it printed when it started.</p>
${sections.join("")}
<section><h2 id="shapes">Shapes</h2>${shapes.map(([name, schema]) => `<h3 id="${toId(name)}">${escapeHtml(name)}</h3>${renderSchema(schema)}`).join("")}</section>
</main></div></body></html>`;
  return { html, styleHash: `sha256-${createHash("sha256").update(docsStyle).digest("base64")}` };
}

function renderLinks(group: string, calls: readonly Call[]): string {
  const items = calls.map(
    ({ operationId, summary }) => `<li><a href="#${toId(operationId)}">${escapeHtml(summary)}</a></li>`,
  );
  return `<h2>${escapeHtml(group)}</h2><ul>${items.join("")}</ul>`;
}

function renderCall(call: Call): string {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = call;
  const answers = Object.entries(responses).map(
    ([status, { description: meaning, content }]) =>
      `<h4><span class="status">${escapeHtml(status)}</span> <span>${escapeHtml(meaning)}</span></h4>${renderContent(content)}`,
  );
  const sample = writeSample({ operationId, method, path, isOpen: call.security?.length === 0 });
  return `<article id="${toId(operationId)}"><h3>${escapeHtml(summary)}</h3>
<p class="call"><code><span class="method ${method.toLowerCase()}">${method}</span> ${escapeHtml(path)}</code></p>
${description === undefined ? "" : `<p>${escapeHtml(description)}</p>`}
${renderParameters(parameters)}
${requestBody === undefined ? "" : `<h4>Body</h4>${renderContent(requestBody.content)}`}
<h4>Sample</h4><pre>${escapeHtml(sample)}</pre>
<details><summary>Answers</summary>${answers.join("")}</details></article>`;
}

function renderParameters(parameters: Call["parameters"]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    ({ name, in: place, required = false, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}${required ? "" : ", optional"}</td><td><code>${escapeHtml(describeSchema(schema))}</code></td></tr>`,
  );
  return `<h4>Parameters</h4><div class="scroll"><table><tr><th>Name</th><th>Where</th><th>Value</th></tr>${rows.join("")}</table></div>`;
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

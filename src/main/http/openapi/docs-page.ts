import { createHash } from "node:crypto";
import { z } from "zod";
import { describeSchema, type JsonSchema, jsonSchemaSchema } from "./describe-schema.ts";
import { writeSample } from "./operations.ts";

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
    ({ name, in: location, required = false, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(location)}${required ? "" : ", optional"}</td><td><code>${escapeHtml(describeSchema(schema))}</code></td></tr>`,
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

/** The style sheet of `/docs`: the app's colours, light and dark as the system has it, no font from elsewhere. */
const docsStyle = `
:root { color-scheme: light dark; --ground: #fbfaf7; --card: #fff; --ink: #1f1d1a; --soft: #6b665e; --line: #e5e0d6; --code: #f4f1ea;
  --accent: #8f570a; --get: #1f6f43; --post: #8f570a; --put: #5b4a9e; --delete: #a8322a; }
@media (prefers-color-scheme: dark) { :root { --ground: #16151a; --card: #1d1c22; --ink: #eceae4; --soft: #a5a19a; --line: #35333c;
  --code: #25242b; --accent: #e3b04b; --get: #7fc79b; --post: #e3b04b; --put: #b9aaf0; --delete: #f0938a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.55 Inter, system-ui, sans-serif; }
a { color: var(--accent); } a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; color: var(--soft); font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .2rem .5rem; margin-left: -.5rem; border-radius: 6px; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--code); }
main { padding: 2rem 2rem 6rem 2.5rem; min-width: 0; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
main h2 { margin: 3rem 0 0; font-size: 1.25rem; scroll-margin-top: 1rem; } main h2 + p { margin: .25rem 0 0; color: var(--soft); }
h3 { margin: 0; font-size: 1rem; } h4 { margin: 1rem 0 .25rem; font-size: .8125rem; font-weight: 600; }
p { margin: .5rem 0; max-width: 46rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; scroll-margin-top: 1rem; }
.call { margin: .25rem 0 0; overflow-wrap: anywhere; } .method { display: inline-block; min-width: 3.5rem; font-weight: 700; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
code, pre { font: .8125rem/1.55 "JetBrains Mono", ui-monospace, monospace; }
pre { background: var(--code); margin: .25rem 0 0; padding: .75rem 1rem; overflow-x: auto; border-radius: 6px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: .75rem; font-weight: 600; color: var(--soft); padding: .25rem 1rem .25rem 0; }
td { border-top: 1px solid var(--line); padding: .3rem 1rem .3rem 0; vertical-align: top; } td:first-child, th:first-child { width: 12rem; } td:nth-child(2), th:nth-child(2) { width: 9rem; }
.type { margin: 0; font-size: .75rem; color: var(--soft); }
details { margin-top: 1rem; border-top: 1px solid var(--line); padding-top: .75rem; } summary { cursor: pointer; font-size: .8125rem; font-weight: 600; }
.status { font-variant-numeric: tabular-nums; } .status + span { font-weight: 400; color: var(--soft); }
section > h3 { margin-top: 1.5rem; scroll-margin-top: 1rem; }
@media (max-width: 64rem) { .page { grid-template-columns: 13rem minmax(0, 1fr); } nav { padding-left: 1rem; } main { padding: 2rem 1.25rem 6rem 1.5rem; } }
@media (max-width: 46rem) { .page { display: block; } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1.5rem; } nav h2 { margin-top: .75rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; } main { padding: 1.5rem 1.5rem 6rem; } }
@media print { nav { display: none; } .page { display: block; } details { display: none; } }
`;

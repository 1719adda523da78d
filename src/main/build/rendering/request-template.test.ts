import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { placeholderFor, type RequestTemplate } from "#contract";
import { enlargePng, samplePictures } from "../testing/sample-pictures.ts";
import { compileRequestTemplate } from "./request-template.ts";

const request: RequestTemplate = {
  messages: [{ role: "user", content: "{{ question }}" }],
  connectionId: null,
  model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
  temperature: null,
  maxCompletionTokens: null,
  customId: "row-{{ row_number }}",
};

function withPrompt(content: string): RequestTemplate {
  return { ...request, messages: [{ role: "user", content }] };
}

function renderRow(template: string, row: Readonly<Record<string, string>>, number = 1) {
  const compiled = compileRequestTemplate(withPrompt(template), Object.keys(row));
  const rendered = compiled.render({ number, cells: Object.values(row), fault: null });
  const text: unknown = rendered.line === null ? null : JSON.parse(rendered.line).body.messages[0].content;
  return { text, problems: [...compiled.problems, ...rendered.problems] };
}

/** The same of a row whose values have types; problems by their messages. */
function renderTyped(template: string, row: Readonly<Record<string, unknown>>) {
  const compiled = compileRequestTemplate(withPrompt(template), Object.keys(row));
  const values = Object.values(row);
  const cells = values.map((value) => (typeof value === "string" ? value : (JSON.stringify(value ?? "") ?? "")));
  const { line, problems } = compiled.render({ number: 1, cells, values, fault: null });
  const text: unknown = line === null ? null : JSON.parse(line).body.messages[0].content;
  return { text, problems: [...compiled.problems, ...problems].map(({ message }) => message) };
}

describe("a template sees the types of its row", () => {
  const row = {
    paid: false,
    ok: true,
    nothing: null,
    stars: 5,
    price: JSON.rawJSON("1.50"),
    id: JSON.rawJSON("12345678901234567890"),
    tags: ["red", "", 7],
    meta: { lang: "en", n: JSON.rawJSON("2.0"), __proto__: null, inner: {} },
    word: "ten",
  };
  const cases: readonly (readonly [string, string])[] = [
    ["{% if paid %}paid{% else %}due{% endif %}", "due"],
    ["{% if ok and stars %}yes{% endif %}", "yes"],
    ["{% if nothing %}some{% else %}none{% endif %}", "none"],
    ["[{{ nothing }}]", "[]"],
    ["{{ nothing | default: 'empty' }}", "empty"],
    ["{% if nothing == '' and nothing == nil and nothing == blank %}none{% endif %}", "none"],
    ["{% if nothing < 5 or nothing > -5 %}compared{% else %}none{% endif %}", "none"],
    ["{% if stars == 5 %}five{% endif %}", "five"],
    ["{% if stars == '5' %}five{% endif %}", "five"],
    ["{% if stars != 4 and stars > 4 and stars <= 5 %}more{% endif %}", "more"],
    ["{% if stars > 10 %}more{% else %}less{% endif %}", "less"],
    ["{% case stars %}{% when 4 %}four{% when '5' %}five{% endcase %}", "five"],
    ["{% case paid %}{% when 'false' %}due{% endcase %}", "due"],
    ["{% if paid == 'false' and ok == true %}as texts{% endif %}", "as texts"],
    ["{{ price }} {{ id }} {{ stars | plus: 1 }}", "1.50 12345678901234567890 6"],
    ["{% if price == 1.5 %}same{% endif %}", "same"],
    ["{% if id == '12345678901234567891' or id < '12345678901234567890' %}other{% else %}same{% endif %}", "same"],
    ["{% if id > '12345678901234567889' and id == '12345678901234567890.0' %}exact{% endif %}", "exact"],
    ["{{ stars | append: '/' | append: price }}", "5/1.50"],
    ["{% for tag in tags %}<{{ tag }}>{% endfor %}", "<red><><7>"],
    ["{{ tags }}", '["red","",7]'],
    ["{{ tags | join: ', ' }} {{ tags | size }} {{ tags[0] }} {{ tags.first }}", "red, , 7 3 red red"],
    ["{% if tags contains 'red' and tags contains 7 %}has{% endif %}", "has"],
    ["{% if tags contains 'ed' %}part{% else %}whole{% endif %}", "whole"],
    ["{{ meta }}", '{"lang":"en","n":2.0,"inner":{}}'],
    ["{{ meta | upcase }}", '{"LANG":"EN","N":2.0,"INNER":{}}'],
    ["{{ tags | truncate: 8 }} {{ tags | json }}", '["red... ["red","",7]'],
    ["{% if word > 5 %}more{% else %}no number{% endif %}", "no number"],
    ["{{ ok }} {{ paid }}", "true false"],
  ];

  it.each(cases)("%s gives %s", (template, text) => {
    expect(renderTyped(template, row)).toMatchObject({ text });
  });

  it("and compares texts that are numbers with numbers", () => {
    const texts = { stars: "5", other: "10", note: "" };
    const template =
      "{% if stars == 5 %}five{% endif %} {% if other > stars %}more{% endif %} {% if note < 1 or note %}some{% else %}none{% endif %}";
    expect(renderTyped(template, texts).text).toBe("five more none");
    expect(renderTyped("{% if stars == '5.0' %}same{% else %}other text{% endif %}", texts).text).toBe("other text");
  });

  it("and warns of a text that says no where a condition takes it as true", () => {
    const texts = { paid: "False", count: "0", "is open": "no", other: "yes" };
    const [warning, ...others] = renderTyped("{% if paid %}paid{% endif %}", texts).problems;
    expect(warning).toBe(
      'The column "paid" is text, and an if takes its "False" as true. Compare it: paid == "False".',
    );
    expect(others).toEqual([]);
    const found = renderTyped(
      "{% unless count or other %}a{% endunless %}{% for n in (1..1) %}{% if other == 'yes' and ['is open'] %}b{% endif %}{% endfor %}",
      texts,
    ).problems;
    expect(found.map((message) => message.split('"')[1])).toEqual(["count", "is open"]);
    expect(renderTyped("{% if paid == 'x' %}a{% endif %}{{ count }}", texts).problems).toEqual([]);
    expect(renderTyped("{% if paid %}a{% endif %}b", { paid: false }).problems).toEqual([]);
  });
});

describe("a row as a line", () => {
  it("is a request with all that the template says", () => {
    const compiled = compileRequestTemplate(
      {
        messages: [
          { role: "system", content: "Answer briefly." },
          { role: "user", content: "{{ question }} ({{ row_number }})" },
        ],
        connectionId: null,
        model: "m",
        temperature: 0,
        maxCompletionTokens: 20,
        customId: "q-{{ id }}",
      },
      ["id", "question"],
    );
    const { line, problems } = compiled.render({ number: 7, cells: ["a1", "Why?"], fault: null });
    expect(problems).toEqual([]);
    expect(line).toBe(
      '{"custom_id":"q-a1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"system",' +
        '"content":"Answer briefly."},{"role":"user","content":"Why? (7)"}],"temperature":0,"max_completion_tokens":20}}',
    );
  });

  it("has the format of the answer and further parameters, and says once what is wrong with them", () => {
    const schema = '{"type":"object","properties":{"score":{"type":"integer"}}}';
    const answerFormat = { type: "json_schema", name: "score", schema, strict: true } as const;
    const compiled = compileRequestTemplate({ ...request, answerFormat, further: '{"seed": 7, "top_k": 5}' }, [
      "question",
    ]);
    expect(compiled.problems).toEqual([]);
    const { line } = compiled.render({ number: 1, cells: ["Why?"], fault: null });
    expect(JSON.parse(line ?? "").body).toMatchObject({
      response_format: {
        type: "json_schema",
        json_schema: { name: "score", strict: true, schema: JSON.parse(schema) },
      },
      seed: 7,
      top_k: 5,
    });
    const messagesOf = (change: Partial<RequestTemplate>) =>
      compileRequestTemplate({ ...request, ...change }, ["question"]).problems.map(({ param, message }) => [
        param,
        message,
      ]);
    expect(messagesOf({ further: "{seed: 7}" })).toEqual([["body", "The further parameters are not a JSON object."]]);
    expect(messagesOf({ further: '{"stream": true}' })[0]?.[1]).toContain("can't be streamed");
    expect(messagesOf({ temperature: -1, further: '{"top_p": 2}' }).map(([param]) => param)).toEqual([
      "body.temperature",
      "body.top_p",
    ]);
    const mistyped = '{"type":"object","properties":{"score":{"type":"nummber"}},"required":"score"}';
    expect(messagesOf({ answerFormat: { ...answerFormat, schema: mistyped } })).toEqual([
      ["body.response_format", 'In the schema of the answer, properties.score.type can\'t be "nummber".'],
      ["body.response_format", 'In the schema of the answer, required can\'t be "score".'],
    ]);
    expect(messagesOf({ answerFormat: { ...answerFormat, schema: "{" } })).toEqual([
      ["body.response_format", "The schema of the answer is not a JSON object."],
    ]);
  });

  it("has the picture of its row beside the text: an address as it is, a file as its data", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "sheaf-picture-")));
    const path = join(folder, "dot.png");
    await writeFile(path, samplePictures.png);
    const large = join(folder, "large.png");
    await writeFile(large, enlargePng(samplePictures.png, 6_000_000));
    const messages = ["image", "other"].map((imageColumn) => ({
      role: "user" as const,
      content: "{{ question }}",
      imageColumn,
    }));
    const columns = ["question", "image", "other"];
    const render = (image: string, other = "https://example.com/b.png", pictureFolders = [folder]) => {
      const { line, problems, refusal } = compileRequestTemplate({ ...request, messages }, columns, {
        pictureFolders,
      }).render({ number: 1, cells: ["What is it?", image, other], fault: null });
      const [message] = JSON.parse(line ?? "").body.messages;
      return { content: message.content, codes: problems.map(({ code }) => code), refusal: refusal?.code };
    };
    const text = { type: "text", text: "What is it?" };
    const address = "https://example.com/a.png";
    expect(render(address).content).toEqual([text, { type: "image_url", image_url: { url: address } }]);
    const url = `data:image/png;base64,${samplePictures.png.toString("base64")}`;
    expect(render(path).content).toEqual([text, { type: "image_url", image_url: { url } }]);
    expect(render(pathToFileURL(path).href).content).toEqual(render(path).content);
    expect(render("")).toMatchObject({ content: "What is it?", codes: ["empty_value"] });
    for (const place of [
      "images/a.png",
      "file://other-host/a.png",
      "//host/a.png",
      "\\\\host\\a.png",
      "~other/a.png",
    ]) {
      expect(render(place), place).toMatchObject({ codes: ["picture_unreadable"], refusal: undefined });
    }
    expect(render("/etc/hostname")).toMatchObject({ codes: [], refusal: "picture_not_allowed" });
    const unread = [text, { type: "image_url", image_url: { url: path } }];
    expect(render(path, undefined, [])).toEqual({ content: unread, codes: [], refusal: "picture_not_allowed" });
    expect(render(large).codes).toEqual([]);
    expect(render(large, large).codes, "more than 11 MB in one line").toEqual(["picture_unreadable"]);
    await rm(folder, { recursive: true });
  });

  it("has the text of a cell exactly as it is in the table", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: fc.constantFrom("{", "}", "%", "\\", '"', "\n", "a") }),
        (a, b) => {
          fc.pre(`${a}${b}`.trim() !== "");
          expect(renderRow("<{{ a }}|{{ b }}>", { a, b }).text).toBe(`<${a}|${b}>`);
        },
      ),
    );
  });

  it("can use a column of any name, as placeholders write it", () => {
    const tricky = [
      "my column",
      "größe",
      'say "hi"',
      "it's",
      `both " and '`,
      "back\\slash",
      "empty",
      "true",
      "a.b",
      "1st",
      "Why?",
      "and",
      "__proto__",
      "row_number",
      "x-y",
    ];
    for (const name of tricky) {
      const { text, problems } = renderRow(placeholderFor(name), { [name]: "cell" });
      expect({ name, text, problems }).toEqual({ name, text: "cell", problems: [] });
    }
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (name) => {
        fc.pre(!name.includes("}}") && !name.includes("%}") && name.trim() !== "" && !/^\d+$/.test(name));
        expect(renderRow(placeholderFor(name), { [name]: "cell" }).text).toBe("cell");
      }),
    );
  });

  it("may use filters, conditions and loops", () => {
    expect(renderRow("{{ a | upcase }}{% if a contains 'b' %}!{% endif %}", { a: "abc" }).text).toBe("ABC!");
    expect(
      renderRow("{% assign parts = a | split: ',' %}{% for p in parts %}[{{ p }}]{% endfor %}", { a: "x,y" }).text,
    ).toBe("[x][y]");
    expect(renderRow("{{ a.size }}", { a: "four" }).text).toBe("4");
    expect(renderRow("{{ meta.lang }} {{ meta.lang.size }}", { "meta.lang": "en" }).text).toBe("en 2");
  });
});

describe("problems of a request template", () => {
  const problemsOf = (template: string, columns: string[] = ["question", "my column"]) =>
    compileRequestTemplate(withPrompt(template), columns).problems;

  it("names an unknown column and the closest one", () => {
    expect(problemsOf("{{ qestion }}")).toEqual([
      {
        code: "unknown_column",
        message: 'There is no column "qestion". The closest is {{ question }}.',
        param: "body.messages[0].content",
        line: null,
        severity: "error",
      },
    ]);
    expect(problemsOf("{% if My_Column %}x{% endif %}")[0]?.message).toContain('{{ ["my column"] }}');
    expect(problemsOf("{{ price }}")[0]?.message).toContain("The table has {{ question }}");
    expect(problemsOf("{{ question.text }}")[0]).toMatchObject({ code: "unknown_column" });
  });

  it("says how to write a name of two words", () => {
    expect(problemsOf("Ask:\n{{ my column }}")).toMatchObject([
      {
        code: "template_error",
        message:
          'Line 2, column 1: "my column" is more than one name. For the column "my column" write {{ ["my column"] }}.',
      },
    ]);
  });

  it.each([
    ["{{ question ", 'Line 1, column 1: The placeholder that starts here is not closed. End it with "}}".'],
    ["a\n{% if question %}", "Line 2, column 1: Tag {% if question %} not closed."],
    ["{{ question | shout }}", "Line 1, column 1: Undefined filter: shout."],
    ["{{ question# }}", "Line 1, column 13"],
  ])("says where a template is wrong: %s", (template, message) => {
    const [problem] = problemsOf(template);
    expect(problem).toMatchObject({ code: "template_error", line: null });
    expect(problem?.message).toContain(message);
  });

  it.each(["include 'x'", "render 'x'", "layout 'x'", "block x"])("reads no files: %s", (tag) => {
    expect(problemsOf(`{% ${tag} %}`)[0]?.message).toMatch(/Tag "\w+" not found/);
  });

  it("finds that there is nothing to ask", () => {
    expect(problemsOf(" ")).toMatchObject([{ code: "no_prompt", line: null }]);
    expect(compileRequestTemplate({ ...request, messages: [] }, []).problems).toMatchObject([{ code: "no_prompt" }]);
    const onlySystem: RequestTemplate = { ...request, messages: [{ role: "system", content: "Be brief." }] };
    expect(compileRequestTemplate(onlySystem, []).problems).toMatchObject([{ code: "no_prompt" }]);
  });

  it("finds the mistakes of every template at once", () => {
    const both: RequestTemplate = { ...withPrompt("{{ nothing }}"), customId: "{{ id" };
    expect(compileRequestTemplate(both, ["question"]).problems.map(({ param }) => param)).toEqual([
      "body.messages[0].content",
      "custom_id",
    ]);
  });
});

describe("problems of a row", () => {
  it("says which column is empty, unless the template provides for it", () => {
    const row = { question: "Why?", note: " " };
    expect(renderRow("{{ question }} {{ note }}", row, 3).problems).toEqual([
      {
        code: "empty_value",
        message: 'The column "note" is empty in this row.',
        param: "body.messages[0].content",
        line: 3,
        severity: "warning",
      },
    ]);
    expect(renderRow("{{ question }} {{ note | default: 'none' }}", row).problems).toEqual([]);
    expect(renderRow("{{ question }}{% if note != '' %}{{ note }}{% endif %}", row).problems).toEqual([]);
  });

  it("finds a row that asks nothing", () => {
    expect(renderRow("{{ question }}", { question: "" }, 2).problems).toMatchObject([
      { code: "empty_value", line: 2 },
      { code: "no_prompt", line: 2, severity: "error" },
    ]);
  });

  it("does not render a row that could not be read", () => {
    const compiled = compileRequestTemplate(request, ["question"]);
    expect(compiled.render({ number: 4, cells: [], fault: "This row is broken." })).toEqual({
      line: null,
      problems: [{ code: "invalid_row", message: "This row is broken.", param: null, line: 4, severity: "error" }],
    });
  });

  it("names a column that only this row asks for", () => {
    const { text, problems } = renderRow("{{ [which] }}", { which: "gone", a: "1" }, 5);
    expect(text).toBeNull();
    expect(problems).toMatchObject([{ code: "unknown_column", line: 5 }]);
  });

  it.each([
    [
      "steps",
      "{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}",
      "The template takes more than 1,000,000 steps",
    ],
    ["items", "{% for i in (1..100000000) %}x{% endfor %}", "too much text"],
    [
      "text",
      "{% assign b = a %}{% for i in (1..40) %}{% assign b = b | append: b %}{% endfor %}{{ b }}",
      "too much text",
    ],
  ])("stops a template that never ends, by %s", (_what, template, message) => {
    const { text, problems } = renderRow(template, { a: "0123456789" });
    expect(text).toBeNull();
    expect(problems).toMatchObject([{ code: "template_error", line: 1 }]);
    expect(problems[0]?.message).toContain(message);
  });

  it("takes its time on a busy computer", () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 60_000));
    const { text } = renderRow("{% for i in (1..100) %}{{ a }}{% endfor %}", { a: "b" });
    vi.restoreAllMocks();
    expect(text).toBe("b".repeat(100));
  });
});

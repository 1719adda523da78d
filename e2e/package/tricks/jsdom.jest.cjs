/** @jest-environment jsdom */
const { expect, test } = require("@jest/globals");
const { setupSheaf } = require("sheaf/jest");

const sheaf = setupSheaf({ cors: "*" });

/** A page's own way to ask. */
function ask(method, path, key) {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open(method, sheaf.baseURL + path);
    sent.setRequestHeader("authorization", `Bearer ${key}`);
    sent.onload = () => resolve(JSON.parse(sent.responseText));
    sent.onerror = () => reject(new Error("The page could not ask."));
    sent.send();
  });
}

test("a page of jsdom asks the server, and the helper shows what it asked", async () => {
  expect(document.body).toBeDefined();
  expect((await ask("GET", "/models", sheaf.apiKey)).object).toBe("list");
  expect(await sheaf.requests({ path: "/v1/models" })).toHaveLength(1);
});

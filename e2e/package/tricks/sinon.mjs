// Fake timers of sinon, installed between the import and the first use.
import assert from "node:assert/strict";
import { startSheaf } from "sheaf";
import sinon from "sinon";
import { asExpected, tryOut } from "./try-out.mjs";

// Node's own streams stop without process.nextTick, and its fetch without queueMicrotask.
const clock = sinon.useFakeTimers({ toNotFake: ["nextTick", "queueMicrotask"] });
const sheaf = await startSheaf();
assert.deepEqual(await tryOut(sheaf), asExpected);
await sheaf.stop();
clock.restore();
process.stdout.write("passed\n");

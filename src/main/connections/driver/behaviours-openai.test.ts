import { describeBehaviours, describeMixtures } from "./testing/describe-behaviours.ts";

describeBehaviours("openai");
describeMixtures("openai", [0]);

// The same protocol at other addresses, with other headers: one behaviour of each sort.
const fewOfEach = [
  "file: null for 20 minutes",
  "download: cut in a line twice",
  "rows: error, then answer",
  "create: 303, made",
  "state: delivered_to_bucket",
];
describeBehaviours("azure", fewOfEach);
describeBehaviours("groq", fewOfEach);

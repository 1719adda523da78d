import connections from "../../../../../docs/connections.md?raw";
import grading from "../../../../../docs/grading.md?raw";
import guide from "../../../../../docs/guide.md?raw";
import keys from "../../../../../docs/keys.md?raw";
import mcp from "../../../../../docs/mcp.md?raw";
import mockServer from "../../../../../docs/mock-server.md?raw";
import privacy from "../../../../../docs/privacy.md?raw";
import questions from "../../../../../docs/questions.md?raw";
import scriptedRules from "../../../../../docs/scripted-rules.md?raw";
import verify from "../../../../../docs/verify.md?raw";
import verifyBatches from "../../../../../docs/verify-batches.md?raw";
import { type GuidePage, splitPage } from "./sections.ts";

/** The pages of the documentation that users of the app read, in the order of their work. */
export const guidePages: readonly GuidePage[] = [
  splitPage("guide", guide),
  splitPage("questions", questions),
  splitPage("privacy", privacy),
  splitPage("keys", keys),
  splitPage("connections", connections),
  splitPage("verify", verify),
  splitPage("verify-batches", verifyBatches),
  splitPage("grading", grading),
  splitPage("mock-server", mockServer),
  splitPage("scripted-rules", scriptedRules),
  splitPage("mcp", mcp),
];

const pictures = import.meta.glob<string>(["../../../../../docs/pictures/*.png", "!**/*-dark.png"], {
  query: "?url",
  import: "default",
  eager: true,
});

/** Where the app has a picture that a page names, such as `pictures/home.png`; undefined for one that it doesn't have. */
export const findPicture = (src: string): string | undefined => pictures[`../../../../../docs/${src}`];

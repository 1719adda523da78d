import { describeBehaviours } from "./testing/describe-behaviours.ts";

describeBehaviours("gemini");

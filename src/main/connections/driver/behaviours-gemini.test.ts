import { describeBehaviours, describeMixtures } from "./testing/describe-behaviours.ts";

describeBehaviours("gemini");
describeMixtures("gemini", [0]);

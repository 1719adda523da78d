import { describeBehaviours, describeMixtures } from "./testing/describe-behaviours.ts";

describeBehaviours("anthropic");
describeMixtures("anthropic", [0]);

import { describeBehaviours, describeMixtures } from "./testing/describe-behaviours.ts";

describeBehaviours("together");
describeMixtures("together", [1]);

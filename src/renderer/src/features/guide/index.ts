export { GuidePage } from "./guide-page.tsx";
export { type GuideSearch, guideSearchSchema } from "./search-params.ts";

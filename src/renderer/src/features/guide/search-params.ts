import { z } from "zod";

/** What the address of the guide has: the page, a section of it, and what is searched. */
export const guideSearchSchema = z.object({
  page: z.string().optional().catch(undefined),
  section: z.string().optional().catch(undefined),
  q: z.string().max(200).optional().catch(undefined),
});
export type GuideSearch = z.infer<typeof guideSearchSchema>;

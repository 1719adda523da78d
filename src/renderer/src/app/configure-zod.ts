import { config } from "zod";

// The page's policy allows no code made from text, which zod would compile its schemas to and tries at the first one.
config({ jitless: true });

import { z } from "zod";

/** A whole number from 0. What a server elsewhere sends is not held to that: the API description alone has the bound. */
export const countSchema = z.int().meta({ minimum: 0 });

/** Unix seconds: an integer or a decimal string (decisions.md, Two dialects). */
export const timestampSchema = z
  .union([countSchema, z.string().regex(/^\d+$/)])
  .describe("Unix seconds: an integer in the answer to a new batch, a decimal string elsewhere.");

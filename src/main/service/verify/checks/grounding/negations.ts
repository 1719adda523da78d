/** Words that deny what stands with them, in small letters without apostrophes. Which others count, depends on what is asked of them. */
export const plainNegations: readonly string[] = "not never neither isnt arent wasnt werent doesnt dont didnt".split(
  " ",
);

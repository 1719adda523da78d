// The same of a CommonJS project.
import { setupSheaf } from "sheaf/jest";
import { startSheafProcess } from "sheaf/testing/process";

export const sheaf = setupSheaf();
export const ready = startSheafProcess().then(({ url }) => url);

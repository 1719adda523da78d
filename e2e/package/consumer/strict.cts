// The same of a CommonJS project.
import { startSheaf } from "sheaf";
import { setupSheaf } from "sheaf/jest";
import { startSheafProcess } from "sheaf/testing/process";

export const sheaf = setupSheaf();
export const own = startSheaf().then(({ stop }) => stop());
export const ready = startSheafProcess().then(({ url }) => url);

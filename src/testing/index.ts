export {
  type FaultsInput,
  type RequestQuery,
  type Sheaf,
  type SheafOptions,
  startSheaf,
} from "./start-sheaf.ts";

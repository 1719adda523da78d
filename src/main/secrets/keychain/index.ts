export { type OpenedKeychain, openKeychain } from "./open-keychain.ts";

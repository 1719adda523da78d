/** As much as is used of the tools, so that types are checked where packaging/node_modules is not installed. */

declare module "electron-builder" {
  /** More of it is checked by `npm run package:desktop -- --check`, by the schema. */
  interface Configuration {
    readonly [key: string]: unknown;
    readonly afterExtract?: (context: { readonly appOutDir: string }) => Promise<void>;
  }
  export const Arch: { readonly x64: 1; readonly arm64: 3 };
  export const Platform: {
    current(): { createTarget(types: readonly string[], ...archs: number[]): unknown };
  };
  export function build(options: {
    projectDir: string;
    targets: unknown;
    publish: "never";
    config: Configuration;
  }): Promise<string[]>;
}

declare module "app-builder-lib/out/util/config/config.js" {
  /** Rejects with what is wrong. */
  export function validateConfiguration(config: object, debugLogger: { isEnabled: boolean }): Promise<void>;
}

declare module "@electron/asar" {
  export function listPackage(archive: string, options: { isPack: boolean }): string[];
  export function statFile(archive: string, path: string): object;
  export function extractAll(archive: string, target: string): void;
}

declare module "@electron/fuses" {
  export const FuseState: { readonly ENABLE: number; readonly DISABLE: number };
  /** The names of the fuses by their places. */
  export const FuseV1Options: Readonly<Record<number, string>>;
  export function getCurrentFuseWire(program: string): Promise<{ version: string; [index: number]: number }>;
}

declare module "@resvg/resvg-js" {
  export class Resvg {
    constructor(svg: string, options: { fitTo: { mode: "width"; value: number } });
    render(): { asPng(): Buffer };
  }
}

declare module "png-to-ico" {
  /** Of one picture for each size. */
  const pngToIco: (pictures: Buffer[]) => Promise<Buffer>;
  export default pngToIco;
}

declare module "png2icons" {
  const png2icons: {
    readonly BICUBIC: number;
    createICNS(picture: Buffer, scaling: number, colors: number): Buffer | null;
  };
  export default png2icons;
}

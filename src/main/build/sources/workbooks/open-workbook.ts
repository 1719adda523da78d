import type { Encoding } from "#contract";
import { BuildError } from "../../errors.ts";
import type { OtherKind, OtherWorkbook } from "./read-sheetjs.ts";
import { findMainPart, openXlsx } from "./read-xlsx.ts";
import type { Workbook, WorkbookOptions } from "./workbook.ts";
import { openPackage, type ZipPackage } from "./zip-package.ts";

export type WorkbookKind = "xlsx" | "html" | OtherKind;

/** A file that was detected as a workbook: by its container, or by its text in an encoding. */
export interface WorkbookFile {
  readonly path: string;
  readonly container: "zip" | "compound" | "html" | "xml";
  readonly encoding: Encoding | null;
}

export async function openWorkbook(
  { path, container, encoding }: WorkbookFile,
  options: WorkbookOptions = {},
): Promise<{ readonly kind: WorkbookKind; readonly book: Workbook }> {
  if (container === "zip") {
    const zip = await openPackage(path);
    try {
      const { kind, main } = await findZipKind(zip);
      if (kind === "xlsx") return { kind, book: await openXlsx(zip, main, options) };
      return await openBySheetJs({ kind, path, zip }, options);
    } catch (error) {
      zip.close();
      throw error;
    }
  }
  if (container === "compound") return await openBySheetJs({ kind: "xls", path }, options);
  if (container === "xml") return await openBySheetJs({ kind: "xml", path, encoding }, options);
  const { openHtml } = await import("./read-html.ts");
  return { kind: "html", book: await openHtml(path, encoding) };
}

async function openBySheetJs(found: OtherWorkbook, options: WorkbookOptions) {
  const { openOther } = await import("./read-sheetjs.ts");
  return { kind: found.kind, book: await openOther(found, options) };
}

async function findZipKind(
  zip: ZipPackage,
): Promise<{ kind: Extract<WorkbookKind, "xlsx" | "xlsb" | "ods">; main: string }> {
  const type = (await zip.text("mimetype")).trim();
  if (type.startsWith("application/vnd.oasis.opendocument.spreadsheet")) return { kind: "ods", main: "content.xml" };
  const main = (await findMainPart(zip)) ?? "";
  if (main.endsWith(".bin")) return { kind: "xlsb", main };
  const other = type.startsWith("application/vnd.oasis.opendocument.")
    ? "an OpenDocument file, but no spreadsheet"
    : /^word\//i.test(main)
      ? "a Word document"
      : /^ppt\//i.test(main)
        ? "a presentation"
        : zip.has("Index/Document.iwa") || zip.has("Index.zip")
          ? "a document of Apple's Numbers, Pages or Keynote"
          : undefined;
  if (other !== undefined) {
    throw new BuildError("refused", `This file is ${other}. Save its table as .xlsx or CSV, and add that.`);
  }
  if (main === "") {
    throw new BuildError("refused", "This is a zip file, not a workbook. Unpack it and add the table inside.");
  }
  return { kind: "xlsx", main };
}

import {
  type AsyncBuffer,
  type ColumnMetaData,
  type Compressors,
  type DataReader,
  type FileMetaData,
  type PageHeader,
  parquetSchema,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel, getTreePath } from "hyparquet/src/schema.js";
import { BuildError } from "../../errors.ts";
import { checkRuns } from "./check-runs.ts";

/** The most values of a page: the reader makes an array of as many as are declared, and V8 ends the process for larger ones. */
const mostPageValues = 20_000_000;

const tooManyValues =
  "A page of this Parquet file declares more than 20,000,000 values. Export it again with smaller pages, or as CSV.";

const tooManyRows =
  "This Parquet file is damaged: it declares more rows than its columns have values. Export it again, or as CSV.";

/** The pages of one column in one group of rows. */
interface Chunk {
  /** Its bytes in the file. */
  readonly start: number;
  readonly end: number;
  readonly about: ColumnMetaData;
  readonly mostRepetition: number;
  readonly mostDefinition: number;
}

/**
 * The file, whose pages are checked before they are read: a damaged one may declare far more values than it has, and the reader
 * would make them all. Throws a BuildError for such a page, or for a group that declares more rows than there are values.
 */
export function checkPages(file: AsyncBuffer, metadata: FileMetaData, unpackers: Compressors): AsyncBuffer {
  const chunks = listChunks(metadata);
  /** Where the pages begin that were checked: those of a large group are read again for each part of its rows. */
  const checked = new Set<number>();
  return {
    byteLength: file.byteLength,
    async slice(start, end = file.byteLength) {
      const bytes = await file.slice(start, end);
      for (const chunk of chunks) {
        const [from, to] = [Math.max(start, chunk.start), Math.min(end, chunk.end)];
        if (from < to) checkPart(new Uint8Array(bytes).subarray(from - start, to - start), from, chunk);
      }
      return bytes;
    },
  };

  function checkPart(bytes: Uint8Array, first: number, chunk: Chunk): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const reader: DataReader = { view, offset: 0 };
    while (reader.offset < bytes.length - 1) {
      const place = first + reader.offset;
      const header = readHeader(reader);
      // What is no page is left to the reader, which explains it.
      if (header === null || !(header.compressed_page_size >= 0)) return;
      const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
      reader.offset += header.compressed_page_size;
      if (checked.has(place)) continue;
      checkPage(page, header, chunk, unpackers);
      checked.add(place);
    }
  }
}

function listChunks(metadata: FileMetaData): Chunk[] {
  const tree = parquetSchema(metadata);
  return metadata.row_groups.flatMap(({ columns, num_rows }) => {
    const chunks = columns.flatMap(({ meta_data: about }) => {
      if (about === undefined) return [];
      const path = getTreePath(tree, about.path_in_schema);
      const start = about.dictionary_page_offset || about.data_page_offset;
      return {
        start: Number(start),
        end: Number(start + about.total_compressed_size),
        about,
        mostRepetition: getMaxRepetitionLevel(path),
        mostDefinition: getMaxDefinitionLevel(path),
      };
    });
    if (chunks.length > 0 && chunks.every(({ about }) => about.num_values < num_rows)) {
      throw new BuildError("refused", tooManyRows);
    }
    return chunks;
  });
}

function readHeader(reader: DataReader): PageHeader | null {
  try {
    return parquetHeader(reader);
  } catch {
    return null;
  }
}

function checkPage(packed: Uint8Array, header: PageHeader, chunk: Chunk, unpackers: Compressors): void {
  const { data_page_header, data_page_header_v2, dictionary_page_header, uncompressed_page_size } = header;
  const values = data_page_header ?? data_page_header_v2 ?? dictionary_page_header;
  if (values === undefined) return;
  if (!(values.num_values >= 0 && values.num_values <= mostPageValues)) throw new BuildError("refused", tooManyValues);
  const { type, codec } = chunk.about;
  const levels = [chunk.mostRepetition, chunk.mostDefinition];
  const unpack = (bytes: Uint8Array, length: number) =>
    codec === "UNCOMPRESSED" ? bytes : (unpackers[codec]?.(bytes, length) ?? new Uint8Array());
  if (data_page_header !== undefined) {
    const { num_values, encoding } = data_page_header;
    checkRuns(unpack(packed, uncompressed_page_size), { num_values, encoding, type, levels });
  } else if (data_page_header_v2 !== undefined) {
    const { num_values, num_nulls, encoding, is_compressed } = data_page_header_v2;
    const { repetition_levels_byte_length, definition_levels_byte_length } = data_page_header_v2;
    const lengths = [repetition_levels_byte_length, definition_levels_byte_length];
    const before = repetition_levels_byte_length + definition_levels_byte_length;
    const rest = packed.subarray(before);
    const page = is_compressed === false ? rest : unpack(rest, uncompressed_page_size - before);
    const whole = new Uint8Array(before + page.length);
    whole.set(packed.subarray(0, before));
    whole.set(page, before);
    checkRuns(whole, { num_values, num_nulls, encoding, type, levels, lengths });
  }
}

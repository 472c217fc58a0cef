import type { FieldAccount, FieldTable } from './fields.ts'
import type { ImportRecord } from './record.ts'

/** A file that is imported: one that the user named, or one in a folder or zip archive. */
export interface SourceFile {
  /** Relative to the folder or archive, with slashes. */
  path: string
  size: number
  bytes(): Promise<Uint8Array>
}

/** What a reader learns besides its records. */
export interface Report {
  /** Counts the fields of what was parsed. Each reader passes everything that it parses. */
  fields: FieldAccount
  /** Something that an import loses and that is not a field, such as a link to a missing task. */
  lose(what: string, why: string): void
}

export interface Source {
  /** As in `--from`. */
  name: string
  /** The name of the product. */
  title: string
  /** What to import, and where to get it, in one sentence. */
  accepts: string
  /** The files of a folder that it reads. Without it, it reads only files that are named. */
  inFolder?: RegExp
  /** What becomes of each field. */
  fields: FieldTable
  /** What columns of CSV files are, by their names, if somebody said it. */
  columns?: Readonly<Record<string, string>>
  /** Whether the files come from this product. It looks at as little as possible. */
  detects(files: readonly SourceFile[]): Promise<boolean>
  read(files: readonly SourceFile[], report: Report): AsyncIterable<ImportRecord>
  /** Downloads from the API of the product what `read` then reads as files. */
  api?: SourceApi
}

/** How to reach the API of a product. */
export interface ApiOptions {
  url: string
  /** Value of the variable that `token` of `SourceApi` names, or of `--token`. */
  token: string | undefined
  fetch: typeof fetch
  /** Says how far the download is, in a few words. */
  onProgress(what: string): void
  signal: AbortSignal
}

export interface SourceApi {
  /** The environment variable with the token. */
  token: string
  /** Whether an address belongs to this product. */
  matches(url: URL): boolean
  download(options: ApiOptions): AsyncIterable<SourceFile>
}

/**
 * The target of a link to another task of the source; the server replaces it by the task's address.
 * Brackets and quotes are encoded too, because they end a target in markdown and HTML.
 */
export const taskLink = (id: string): string =>
  `task:${encodeURIComponent(id).replace(/[!'()*~]/g, percentEncode)}`

const percentEncode = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A file with a text that is in memory. */
export const textFile = (path: string, text: string): SourceFile => {
  const bytes = new TextEncoder().encode(text)
  return { path, size: bytes.length, bytes: async () => bytes }
}

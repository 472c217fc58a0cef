import { type ParseError, parse } from 'jsonc-parser'
import { ImportProblem } from './problem.ts'
import type { SourceFile } from './source.ts'

/** Longer files are refused: they would not fit into memory several times. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024

/** Decodes a file as UTF-16 if its first bytes say so, else as UTF-8, without the byte order mark. */
export async function textOf(file: SourceFile): Promise<string> {
  if (file.size > MAX_FILE_BYTES)
    throw new ImportProblem('The file is larger than 512 MB', 'Export fewer tasks at a time', {
      file: file.path,
    })
  const bytes = await file.bytes()
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch {
    throw new ImportProblem('The file is not text in UTF-8', 'Save it as UTF-8, then import it', {
      file: file.path,
    })
  }
}

/**
 * The beginning of a file, to recognize its product. Characters that are no UTF-8 are replaced: the
 * reader of that product refuses them and says so.
 */
export async function beginningOf(file: SourceFile): Promise<string> {
  const bytes = await file.bytes()
  return new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, MAX_BEGINNING))
}

const MAX_BEGINNING = 16 * 1024 * 1024

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** Parses a JSON file. Errors name the line and column. */
export async function jsonOf(file: SourceFile): Promise<unknown> {
  return parseJson(await textOf(file), file.path)
}

export function parseJson(text: string, path: string, line = 1): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ImportProblem(
      `The file is not valid JSON (${(error as Error).message})`,
      'Download it again; it may have been cut short',
      { file: path, ...locationOf(text, firstError(text), line) },
    )
  }
}

/** The line and column of a position in a text. */
export function locationOf(text: string, position: number, firstLine = 1) {
  const before = text.slice(0, position).split('\n')
  return { line: firstLine + before.length - 1, column: before.at(-1)!.length + 1 }
}

function firstError(text: string): number {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  return errors[0]?.offset ?? text.length
}

import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { CommandError } from '../command.ts'
import { isObject } from './entry.ts'

/** The value of a JSON file that may have comments and trailing commas. Throws if it is broken. */
export function parseJsonFile(text: string): Record<string, unknown> {
  if (!text.trim()) return {}
  const errors: ParseError[] = []
  const value = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new CommandError(`line ${line}: ${printParseErrorCode(first.error)}`)
  }
  if (!isObject(value)) throw new CommandError('it must contain an object')
  return value
}

/** Sets one value, and leaves all other text as it is: comments, order and indentation. */
export function setJsonValue(text: string, path: [string, string], value: unknown): string {
  const source = text.trim() ? text : '{}\n'
  const indentation = /^([ \t]+)["{]/m.exec(source)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indentation.startsWith('\t'),
    tabSize: indentation.startsWith('\t') ? 1 : indentation.length,
    eol: source.includes('\r\n') ? '\r\n' : '\n',
  }
  // Behind the last entry, a comment of that entry would end up behind the new one.
  const options = { formattingOptions, getInsertionIndex: () => 0 }
  const result = applyEdits(source, modify(source, path, value, options))
  const [parent, name] = path
  const before = parseJsonFile(text)
  const servers = { ...(before[parent] as object), [name]: value }
  if (Bun.deepEquals({ ...before, [parent]: servers }, parseJsonFile(result))) return result
  throw new CommandError(`"${parent}" is written in a way that this command cannot change`)
}

import { parse, stringify } from 'smol-toml'
import { CommandError } from '../command.ts'

export function parseTomlFile(text: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    throw new CommandError((error as Error).message.split('\n')[0]!.replace(/\.$/, ''))
  }
}

const HEADER = /^\s*\[/

/**
 * Sets one table, and leaves all other text as it is. Replaces the lines of an earlier table of this
 * name with its sub-tables, or adds the table at the end. Throws if other values would change,
 * because TOML has more ways to write a table than this function reads.
 */
export function setTomlTable(text: string, path: [string, string], value: object): string {
  const [parent, name] = path
  const block = stringify({ [parent]: { [name]: value } }).trimEnd()
  const lines = text.split(/\r?\n/)
  const begins = (line: string) => HEADER.test(line) && pathOf(line)?.join('.') === path.join('.')
  const isInside = (line: string) => pathOf(line)?.slice(0, 2).join('.') === path.join('.')
  const start = lines.findIndex(begins)
  const length = lines.slice(start + 1).findIndex((line) => HEADER.test(line) && !isInside(line))
  const end = length < 0 ? lines.length : start + 1 + length
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const added = block.split('\n')
  const changed =
    start < 0
      ? [...trimEnd(lines), ...(text.trim() ? [''] : []), ...added, '']
      : [...lines.slice(0, start), ...added, ...(length < 0 ? [] : ['']), ...lines.slice(end)]
  const result = changed.join(newline)
  assertOnlyChange(text, result, path, value)
  return result.endsWith(newline) ? result : `${result}${newline}`
}

/** The parts of a table header: `[a."b c"]` is a and b c. Undefined for other lines. */
function pathOf(line: string): string[] | undefined {
  const header = /^\s*\[([^[\]]+)\]\s*(#.*)?$/.exec(line)?.[1]
  return header?.match(/"[^"]*"|'[^']*'|[\w-]+/g)?.map((part) => part.replace(/^["']|["']$/g, ''))
}

function trimEnd(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim())
  return lines.slice(0, last + 1)
}

function assertOnlyChange(before: string, after: string, [parent, name]: string[], value: object) {
  const expected = parseTomlFile(before)
  const servers = { ...(expected[parent!] as object), [name!]: value }
  const isRight = Bun.deepEquals({ ...expected, [parent!]: servers }, tryParse(after))
  if (!isRight)
    throw new CommandError(`"${parent}" is written in a way that this command cannot change`)
}

function tryParse(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

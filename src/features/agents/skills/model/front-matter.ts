/** The front matter and the body of a skill file. */
export interface SkillFile {
  name?: string
  slug?: string
  description?: string
  argument_hint?: string
  enabled?: boolean
  body: string
  /** Keys that are not known. */
  unknown: string[]
}

export class FrontMatterError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}

const MAX_LINES = 300
const KEY = /^([^\s:#'"[\]{}&*!|>%@`,-][^:]{0,100}?)\s*:(?:\s+(.*))?$/s
const KNOWN = ['name', 'slug', 'description', 'argument-hint', 'enabled'] as const
type Key = (typeof KNOWN)[number]

const isKnown = (key: string): key is Key => KNOWN.includes(key as Key)
const isIndented = (line: string) => /^[ \t]/.test(line)
const isBlank = (line: string) => !line.trim()

export const hasFrontMatter = (text: string) => /^\uFEFF?---[ \t]*\r?\n/.test(text)
/** Normalises line ends, which differ between systems; the rest of the text stays as it is. */
export const normalizeLineEnds = (text: string) => text.replace(/\r\n?/g, '\n')

/**
 * Parses a skill file. Of YAML it supports only strings: plain, quoted or as a block. Anchors,
 * tags, lists and objects are rejected, so the result cannot grow beyond the input.
 */
export function parseSkillFile(text: string): SkillFile {
  const lines = normalizeLineEnds(text.replace(/^\uFEFF/, '')).split('\n')
  if (lines[0]!.trimEnd() !== '---')
    throw new FrontMatterError(1, 'The front matter is missing: start with a line ---')
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
  if (end < 0 || end > MAX_LINES)
    throw new FrontMatterError(1, `The front matter does not end within ${MAX_LINES} lines`)
  const rest = lines.slice(end + 1)
  const body = (rest[0] === '' ? rest.slice(1) : rest).join('\n')
  const { values, unknown } = keysIn(lines.slice(0, end))
  return { ...fieldsOf(values), body, unknown }
}

interface Value {
  text: string
  line: number
}

function keysIn(lines: readonly string[]) {
  const values = new Map<Key, Value>()
  const unknown: string[] = []
  for (let at = 1; at < lines.length; ) {
    const line = lines[at]!
    if (isBlank(line) || line.trimStart().startsWith('#')) {
      at++
      continue
    }
    const [, keyName, raw = ''] = KEY.exec(line) ?? []
    if (keyName === undefined) throw new FrontMatterError(at + 1, 'Expected "key: value"')
    const below = at + 1
    at = below
    while (at < lines.length && isContinuation(lines[at]!)) at++
    const key = keyName.replaceAll('_', '-')
    if (!isKnown(key)) {
      unknown.push(keyName)
      continue
    }
    if (values.has(key)) throw new FrontMatterError(below, `Duplicate key ${keyName}`)
    const text = textOf(raw.trim(), lines.slice(below, at), { key, line: below })
    values.set(key, { text, line: below })
  }
  return { values, unknown }
}

/** A line that belongs to the value above it: indented, blank, or a list item. */
const isContinuation = (line: string) => isIndented(line) || isBlank(line) || /^-(\s|$)/.test(line)

interface Where {
  key: Key
  line: number
}

function textOf(raw: string, below: readonly string[], where: Where): string {
  const first = raw[0] ?? ''
  if (first === '|' || first === '>') return block(raw, below, where)
  if (first === "'" || first === '"') return quoted(raw, below, where)
  if ('&*!'.includes(first) && first)
    throw new FrontMatterError(where.line, 'Anchors, aliases and tags are not supported')
  // Most files write it as [hint], meaning the text and not a YAML list.
  const isHint = where.key === 'argument-hint' && first === '['
  if ('[{%@`,'.includes(first) && first && !isHint)
    throw new FrontMatterError(where.line, `${where.key} must be text; put it in quotes`)
  const list = below.findIndex((line) => /^\s*-(\s|$)/.test(line))
  if (!raw && list >= 0)
    throw new FrontMatterError(where.line + list + 1, `${where.key} must be text, not a list`)
  const plain = [raw, ...below].map((line) => line.replace(/(^|\s)#.*$/s, '').trim())
  const text = foldLines(plain)
  return /^(null|~)$/i.test(text) ? '' : text
}

/** A single line break becomes a space; of several, one is dropped. */
const foldLines = (lines: readonly string[]) =>
  lines
    .join('\n')
    .trim()
    .replace(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)))

function block(raw: string, below: readonly string[], { line }: Where): string {
  const [, style, marks = ''] = /^([|>])([-+1-9]{0,2})\s*(?:#.*)?$/s.exec(raw) ?? []
  if (!style) throw new FrontMatterError(line, 'A block must start with | or > on its own line')
  const first = below.find((one) => !isBlank(one)) ?? ''
  const indent = Number(/[1-9]/.exec(marks)?.[0] ?? /^\s*/.exec(first)![0].length)
  const lines = below.map((one) => one.slice(indent).trimEnd())
  const short = below.findIndex((one) => !isBlank(one) && one.slice(0, indent).trim())
  if (short >= 0)
    throw new FrontMatterError(line + short + 1, 'This line is indented less than its block')
  return style === '|' ? lines.join('\n').trim() : foldLines(lines)
}

const ENDS = { "'": /^'((?:[^']|'')*)'\s*(?:#.*)?$/s, '"': /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s }

function quoted(raw: string, below: readonly string[], { line }: Where): string {
  const whole = foldLines([raw, ...below.map((one) => one.trim())])
  const mark = whole[0] as keyof typeof ENDS
  const inside = ENDS[mark].exec(whole)?.[1]
  if (inside === undefined) throw new FrontMatterError(line, `Unterminated quote ${mark}`)
  return mark === "'" ? inside.replaceAll("''", "'") : unescaped(inside, line)
}

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  '\\': '\\',
  '/': '/',
  ' ': ' ',
}

function unescaped(text: string, line: number): string {
  const plain = text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (all, long?: string, short?: string, letter?: string) => {
      if (letter === undefined) return String.fromCharCode(Number.parseInt((long ?? short)!, 16))
      const meant = ESCAPES[letter]
      if (meant === undefined) throw new FrontMatterError(line, `Unknown escape ${all}`)
      return meant
    },
  )
  if (plain.includes('\0') || !plain.isWellFormed())
    throw new FrontMatterError(line, 'It contains a NUL or an incomplete character')
  return plain
}

function fieldsOf(values: ReadonlyMap<Key, Value>): Omit<SkillFile, 'body' | 'unknown'> {
  const enabled = values.get('enabled')
  if (enabled && !/^(true|false)$/i.test(enabled.text))
    throw new FrontMatterError(enabled.line, 'enabled must be true or false')
  const text = (key: Key, name: string) => {
    const found = values.get(key)?.text.trim()
    return found ? { [name]: found } : {}
  }
  return {
    ...text('name', 'name'),
    ...text('slug', 'slug'),
    ...text('description', 'description'),
    ...text('argument-hint', 'argument_hint'),
    ...(enabled && { enabled: /^true$/i.test(enabled.text) }),
  }
}

interface Written {
  name: string
  slug: string
  description: string
  argument_hint: string | null
  enabled: boolean
  body: string
}

/** Formats the complete file of a skill. */
export function formatSkillFile(skill: Written): string {
  const { name, slug, description, argument_hint, enabled, body } = skill
  const lines = [
    `name: ${scalar(name)}`,
    `slug: ${scalar(slug)}`,
    ...(description ? [`description: ${scalar(description)}`] : []),
    ...(argument_hint ? [`argument-hint: ${scalar(argument_hint)}`] : []),
    ...(enabled ? [] : ['enabled: false']),
  ]
  return `---\n${lines.join('\n')}\n---\n\n${body}`
}

/** Leaves out the quotes if every YAML reader reads the same text without them. */
const scalar = (text: string) =>
  /^\p{L}[\p{L}\p{N} ,.()/-]*$/u.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text)

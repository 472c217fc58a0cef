/** What stands above the text of a skill file, and the text. */
export interface Matter {
  name?: string
  slug?: string
  description?: string
  argument_hint?: string
  enabled?: boolean
  body: string
  /** Keys that mean nothing here. */
  unknown: string[]
}

export class BadMatter extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}

const MOST_LINES = 300
const KEY = /^([^\s:#'"[\]{}&*!|>%@`,-][^:]{0,100}?)\s*:(?:\s+(.*))?$/s
const KNOWN = ['name', 'slug', 'description', 'argument-hint', 'enabled'] as const
type Key = (typeof KNOWN)[number]

const isKnown = (key: string): key is Key => KNOWN.includes(key as Key)
const isIndented = (line: string) => /^[ \t]/.test(line)
const isBlank = (line: string) => !line.trim()

export const isMatter = (text: string) => /^\uFEFF?---[ \t]*\r?\n/.test(text)
/** Line ends are what differs between machines, and nothing else of a text is touched. */
export const unixed = (text: string) => text.replace(/\r\n?/g, '\n')

/**
 * A skill file. Of YAML only what such files need is read: texts, plain, quoted or in a block.
 * Anchors, tags, lists and objects are not, so nothing can grow beyond what was sent.
 */
export function readMatter(text: string): Matter {
  const lines = unixed(text.replace(/^\uFEFF/, '')).split('\n')
  if (lines[0]!.trimEnd() !== '---')
    throw new BadMatter(1, 'It has no front matter: begin with a line ---')
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
  if (end < 0 || end > MOST_LINES)
    throw new BadMatter(1, `Its front matter does not end within ${MOST_LINES} lines`)
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
    const [, said, raw = ''] = KEY.exec(line) ?? []
    if (said === undefined) throw new BadMatter(at + 1, 'Here "key: value" is expected')
    const below = at + 1
    at = below
    while (at < lines.length && belongs(lines[at]!)) at++
    const key = said.replaceAll('_', '-')
    if (!isKnown(key)) {
      unknown.push(said)
      continue
    }
    if (values.has(key)) throw new BadMatter(below, `${said} stands there twice`)
    const text = textOf(raw.trim(), lines.slice(below, at), { key, line: below })
    values.set(key, { text, line: below })
  }
  return { values, unknown }
}

/** Of the value above it: indented, blank, or a row of a list. */
const belongs = (line: string) => isIndented(line) || isBlank(line) || /^-(\s|$)/.test(line)

interface Where {
  key: Key
  line: number
}

function textOf(raw: string, below: readonly string[], where: Where): string {
  const first = raw[0] ?? ''
  if (first === '|' || first === '>') return block(raw, below, where)
  if (first === "'" || first === '"') return quoted(raw, below, where)
  if ('&*!'.includes(first) && first)
    throw new BadMatter(where.line, 'Anchors, aliases and tags are not read here')
  // Written by most for what it looks like, not for the list that it would be.
  const isHint = where.key === 'argument-hint' && first === '['
  if ('[{%@`,'.includes(first) && first && !isHint)
    throw new BadMatter(where.line, `${where.key} must be a text; put it in quotes`)
  const list = below.findIndex((line) => /^\s*-(\s|$)/.test(line))
  if (!raw && list >= 0)
    throw new BadMatter(where.line + list + 1, `${where.key} must be a text, not a list`)
  const plain = [raw, ...below].map((line) => line.replace(/(^|\s)#.*$/s, '').trim())
  const text = folded(plain)
  return /^(null|~)$/i.test(text) ? '' : text
}

/** One line break is a blank, and of several one is none. */
const folded = (lines: readonly string[]) =>
  lines
    .join('\n')
    .trim()
    .replace(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : breaks.slice(1)))

function block(raw: string, below: readonly string[], { line }: Where): string {
  const [, style, marks = ''] = /^([|>])([-+1-9]{0,2})\s*(?:#.*)?$/s.exec(raw) ?? []
  if (!style) throw new BadMatter(line, 'A block begins with | or > alone')
  const first = below.find((one) => !isBlank(one)) ?? ''
  const indent = Number(/[1-9]/.exec(marks)?.[0] ?? /^\s*/.exec(first)![0].length)
  const lines = below.map((one) => one.slice(indent).trimEnd())
  const short = below.findIndex((one) => !isBlank(one) && one.slice(0, indent).trim())
  if (short >= 0) throw new BadMatter(line + short + 1, 'It is indented less than its block')
  return style === '|' ? lines.join('\n').trim() : folded(lines)
}

const ENDS = { "'": /^'((?:[^']|'')*)'\s*(?:#.*)?$/s, '"': /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s }

function quoted(raw: string, below: readonly string[], { line }: Where): string {
  const whole = folded([raw, ...below.map((one) => one.trim())])
  const mark = whole[0] as keyof typeof ENDS
  const inside = ENDS[mark].exec(whole)?.[1]
  if (inside === undefined) throw new BadMatter(line, `The quote ${mark} does not end as it should`)
  return mark === "'" ? inside.replaceAll("''", "'") : unescaped(inside, line)
}

const ESCAPES: Record<string, string> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' },
  ...{ '"': '"', '\\': '\\', '/': '/', ' ': ' ' },
}

function unescaped(text: string, line: number): string {
  const plain = text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (all, long?: string, short?: string, letter?: string) => {
      if (letter === undefined) return String.fromCharCode(Number.parseInt((long ?? short)!, 16))
      const meant = ESCAPES[letter]
      if (meant === undefined) throw new BadMatter(line, `${all} means nothing in a quote`)
      return meant
    },
  )
  if (plain.includes('\0') || !plain.isWellFormed())
    throw new BadMatter(line, 'It holds a NUL or half a character')
  return plain
}

function fieldsOf(values: ReadonlyMap<Key, Value>): Omit<Matter, 'body' | 'unknown'> {
  const enabled = values.get('enabled')
  if (enabled && !/^(true|false)$/i.test(enabled.text))
    throw new BadMatter(enabled.line, 'enabled must be true or false')
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

/** The complete file of a skill. */
export function writeMatter(skill: Written): string {
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

/** Without quotes where no reader of YAML could take it for anything but this text. */
const scalar = (text: string) =>
  /^\p{L}[\p{L}\p{N} ,.()/-]*$/u.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text)

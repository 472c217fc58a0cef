/** YAML above a text, edited line by line so that everything else in it stays as it is. */
export class FrontMatter {
  private constructor(
    private readonly head: string,
    private lines: string[],
    private readonly tail: string,
    /** What follows the front matter. */
    public body: string,
  ) {}

  static parse(text: string): FrontMatter {
    const match = /^(\s*---[ \t]*\n)((?:[\s\S]*?\n)?)(---[ \t]*(?:\n|$))/.exec(text)
    if (!match) return new FrontMatter('---\n', [], '---\n', text)
    const [whole, head = '', yaml = '', tail = ''] = match
    const lines = yaml.split('\n').slice(0, -1)
    return new FrontMatter(head, lines, tail, text.slice(whole.length))
  }

  toString(): string {
    return [this.head, ...this.lines.map((line) => `${line}\n`), this.tail, this.body].join('')
  }

  has(key: string): boolean {
    return this.find(key) !== undefined
  }

  /** What is written behind a key, with the lines below it; undefined without the key. */
  raw(key: string): string | undefined {
    const found = this.find(key)
    if (!found) return undefined
    const [first = '', ...rest] = this.lines.slice(found.from, found.to)
    return [first.slice(key.length + 1), ...rest].join('\n')
  }

  set(key: string, value: string, after: readonly string[] = []): void {
    const found = this.find(key)
    const lines = `${key}:${value.startsWith('\n') ? '' : ' '}${value}`.split('\n')
    if (found) return void this.lines.splice(found.from, found.to - found.from, ...lines)
    const before = after.map((other) => this.find(other)).find((place) => place !== undefined)
    this.lines.splice(before?.to ?? this.lines.length, 0, ...lines)
  }

  remove(key: string): void {
    const found = this.find(key)
    if (found) this.lines.splice(found.from, found.to - found.from)
  }

  /** Sets a single value in the style that it has, and keeps a comment behind it. */
  setScalar(key: string, text: string, after: readonly string[] = []): void {
    const raw = this.raw(key)?.trim() ?? ''
    const [, old = '', comment = ''] = SCALAR.exec(raw) ?? []
    this.set(key, scalar(text, old) + (raw.includes('\n') ? '' : comment), after)
  }

  /** Edits a list in the style that it has. `edit` gets its items as they are written. */
  setList(key: string, edit: (items: string[]) => string[], after: readonly string[] = []): void {
    const raw = this.raw(key) ?? ''
    const { items, style } = listIn(raw)
    const edited = edit(items)
    if (edited.join('\n') === items.join('\n')) return
    const isInline = style === 'inline' || !edited.length
    const indent = /\n( *)- /.exec(raw)?.[1] ?? '  '
    const block = edited.map((item) => `\n${indent}- ${item}`).join('')
    const comment = /^[^\n]*?\](\s+#[^\n]*)$/.exec(raw)?.[1] ?? ''
    this.set(key, isInline ? `[${edited.join(', ')}]${comment}` : block, after)
  }

  private find(key: string): { from: number; to: number } | undefined {
    const from = this.lines.findIndex((line) => line.startsWith(`${key}:`))
    if (from < 0) return undefined
    let to = from + 1
    while (to < this.lines.length && /^(\s+\S|- |-$)/.test(this.lines[to]!)) to++
    return { from, to }
  }
}

const SCALAR = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|.*?)(\s+#.*)?$/s
const PLAIN = /^[\p{L}_][\p{L}\p{N} _.,()/+-]*$/u
const RESERVED = /^(true|false|null|yes|no|on|off|y|n)$/i

/** A text as YAML, quoted like the old value. */
export function scalar(text: string, old = ''): string {
  if (/[\n\p{Cc}]/u.test(text) || old.startsWith('"')) return JSON.stringify(text)
  const isPlain = PLAIN.test(text) && text.trim() === text && !RESERVED.test(text)
  return isPlain && !old.startsWith("'") ? text : `'${text.replaceAll("'", "''")}'`
}

/** The items of a list as they are written: in brackets, below each other, or a single value. */
function listIn(raw: string): { items: string[]; style: 'inline' | 'block' } {
  const text = raw.trim()
  const inner = /^\[(.*)\]/s.exec(text)?.[1]
  if (inner !== undefined) {
    const items = inner.match(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,\s][^,]*/g) ?? []
    return { items: items.map((item) => item.trim()), style: inner.trim() ? 'inline' : 'block' }
  }
  const lines = [...text.matchAll(/^\s*- +(.*)$/gm)].map(([, item]) => item!.trim())
  if (lines.length) return { items: lines, style: 'block' }
  return { items: text && !text.startsWith('#') ? [text] : [], style: text ? 'inline' : 'block' }
}

/** The text of an item, without quotes and a comment behind it. */
export function itemText(item: string): string {
  const [, value = ''] = SCALAR.exec(item.trim()) ?? []
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'")
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    return value.slice(1, -1)
  }
}

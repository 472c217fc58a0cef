import type { TSchema } from '@sinclair/typebox'
import type { PageInfo } from '../../kernel/list.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { cell, nameIn } from './cell.ts'
import { spoken } from './chat/thread.ts'
import type { Answer } from './client.ts'
import type { Outside } from './outside.ts'
import { isRead, passages } from './passages.ts'
import type { Fields } from './request.ts'
import { plain, safe, table } from './table.ts'
import { understoodIn } from './understood.ts'
import { sentenceOf, titleOf } from './words.ts'

type Row = Record<string, unknown>
type Told = Pick<Outside, 'out' | 'exact' | 'err' | 'screen'>

/** What is answered once and then never again. */
const SECRETS = ['key', 'token', 'link', 'secret']
/** Fields that say in a word that they were not set. */
const UNSET = ['priority_name', 'size', 'blocked', 'overdue', 'important']
/** A text this long stands below, under a title of its own. */
const LONG = 200
/** Small things with a name, such as labels, are told by that alone. */
const SMALL = 3

/** Of these one field is all that is shown where it is there: as it is, for it may be piped. */
const TEXTS: Record<string, string> = {
  'pages.get': 'content',
  'pages.canvas': 'html',
  'pages.diff': 'diff',
  'flow.report': 'csv',
  'time.report': 'csv',
}

/** What an operation answered, for a person to read. */
export async function shown(
  op: AnyOperation,
  { data, page }: Answer,
  input: Fields,
  told: Told,
): Promise<void> {
  const text = (data as Row)[TEXTS[op.name] ?? '']
  if (typeof text === 'string') return verbatim(text, told)
  if (isRead(op.name) && (data as Row[]).length)
    return told.out(passages(op.name, data as Row[], told.screen))
  if (op.name === 'chat.thread') return told.out(spoken(data as never, told.screen))
  if (op.output.list) {
    rows(op, op.output.properties.items.items, data as Row[], input, told)
    if (page?.has_more) told.err(more(data as Row[], page.total))
    return
  }
  const schema = variantOf(op.output, data)
  if (Array.isArray(data)) {
    rows(op, schema.items, data, input, told)
    return
  }
  const sentence = sentenceOf(op, data as Row)
  told.out(sentence === undefined ? record(op, schema, data as Row, told) : plain(sentence))
  const { page: within, understood, ...own } = data as Row
  const meant = understood ? understoodIn(understood as Row) : ''
  if (meant) told.out(meant)
  if (op.output.secret && SECRETS.some((name) => own[name]))
    told.err('Keep it now: it is not shown again')
  if ((within as PageInfo | undefined)?.has_more)
    told.err('There are more; see --cursor and --json')
}

async function verbatim(text: string, { out, exact, screen }: Told) {
  if (screen.width === undefined) await exact(text)
  else out(safe(text).replace(/\n$/, ''))
}

const more = ({ length }: Row[], total: number | null) =>
  `${length} of ${total ?? 'more than 10,000'}; --all shows every one, --limit so many`

function rows(op: AnyOperation, item: TSchema, data: Row[], { fields }: Fields, told: Told): void {
  const asked = fields === undefined ? undefined : [fields].flat()
  if (data.length) told.out(listing(op, item, data, told, asked))
  else told.err('There is nothing to list')
}

function listing(op: AnyOperation, item: TSchema, data: Row[], told: Told, fields?: unknown[]) {
  const asked = fields?.flatMap((field) => String(field).split(',')).map((field) => field.trim())
  const names: string[] = asked ?? item.columns ?? Object.keys(item.properties)
  const used = names.filter((name) => asked || data.some((row) => cell(at(row, name))))
  return table(
    data.map((row) => used.map((name) => cell(at(row, name)))),
    used.map((name) => titleOf(op, name)),
    told.screen,
  )
}

/** `labels.name` is that field of each label, `actor.name` that of the actor. */
function at(row: Row, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = row[name]
  // To a person, that there is none needs no word.
  if (UNSET.includes(name) && /^(none|false)$/i.test(String(value))) return undefined
  if (!inner) return value
  if (Array.isArray(value)) return value.map((one) => one?.[inner] ?? one)
  return typeof value === 'object' && value !== null ? (value as Row)[inner] : value
}

/** A field and its value in a line each; what is long or has fields of its own comes below. */
function record(op: AnyOperation, schema: TSchema, data: Row, told: Told): string {
  const lines: [string, string][] = []
  const below: string[] = []
  for (const path of pathsOf(schema, data)) {
    const value = at(data, path)
    const text = cell(value)
    // Where a list was cut is told beneath it.
    if (!text || path === 'page') continue
    const title = titleOf(op, path)
    const inner = variantOf(schema.properties?.[path] ?? {}, value)
    const block = blockOf(op, inner, value, told)
    if (block === undefined) lines.push([title, text])
    else below.push(`${heading(title, told)}\n${block}`)
  }
  const width = Math.max(0, ...lines.map(([title]) => title.length))
  const short = lines.map(([title, text]) => `${title.padEnd(width)}  ${text}`).join('\n')
  return [short, ...below].filter(Boolean).join('\n\n')
}

/** The columns of a list first; then whatever else is set, without what repeats other fields. */
function pathsOf({ columns, omits, properties }: TSchema, data: Row): string[] {
  if (!columns) return Object.keys(data)
  const shown = new Set((columns as string[]).map((path) => path.split('.')[0]))
  const isWorthALine = (name: string) =>
    !(shown.has(name) || name in (omits ?? {}) || data[name] === properties[name]?.absent)
  return [...columns, ...Object.keys(data).filter(isWorthALine)]
}

/** What does not fit beside its name; nothing where it does. */
function blockOf(op: AnyOperation, schema: TSchema, value: unknown, told: Told) {
  if (isLong(value)) return safe(String(value)).trimEnd()
  if (isTable(value)) return listing(op, itemOf(schema, value), value, told)
  const branches = branchesOf(schema)
  if (branches && isRecord(value)) {
    const columns = schema.columns?.filter((name: string) => name !== branches)
    return listing(op, { ...schema, columns }, outline(value, branches), told)
  }
  return isRecord(value) ? record(op, schema, value, told) : undefined
}

/** The field in which a record holds others of its own form. */
const branchesOf = ({ properties = {} }: TSchema) =>
  Object.keys(properties).find((name) => properties[name].items?.again)

/** A tree from top to bottom, each title as far in as it is deep. */
const outline = (row: Row, branches: string, deep = 0): Row[] => [
  { ...row, title: `${'· '.repeat(deep)}${row.title}` },
  ...(row[branches] as Row[]).flatMap((one) => outline(one, branches, deep + 1)),
]

const heading = (title: string, { screen }: Told) =>
  screen.colour ? `\x1b[1m${title}\x1b[22m` : `${title}:`

const isLong = (value: unknown): boolean =>
  typeof value === 'string' && (value.length > LONG || value.trimEnd().includes('\n'))

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !nameIn(value as Row)

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) &&
  value.some((one) => one && typeof one === 'object' && !isSmall(one as Row))

const isSmall = (one: Row) => nameIn(one) !== undefined && Object.keys(one).length <= SMALL

/** Where no schema tells of the fields, the first row does. */
const itemOf = ({ items }: TSchema, [first]: Row[]): TSchema =>
  items?.properties ? items : ({ properties: first } as unknown as TSchema)

const variantOf = (schema: TSchema, value: unknown): TSchema =>
  schema.anyOf?.find((one: TSchema) => (one.type === 'array') === Array.isArray(value)) ?? schema

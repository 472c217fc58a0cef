import type { TSchema } from '@sinclair/typebox'
import type { PageInfo } from '../../kernel/list.ts'
import type { OperationDescription } from '../../kernel/operation.ts'
import { describeRule } from '../../kernel/recurrence/describe.ts'
import { cell, nameIn } from './cell.ts'
import { renderThread } from './chat/render-thread.ts'
import type { ApiAnswer } from './client.ts'
import type { CommandIO } from './io.ts'
import { describeParsedTask } from './parsed-task.ts'
import { hasPassages, renderPassages } from './passages.ts'
import type { Fields } from './request.ts'
import { sentenceOf, titleOf } from './sentences.ts'
import { plain, safe, table } from './table.ts'

type Row = Record<string, unknown>
type Output = Pick<CommandIO, 'out' | 'exact' | 'err' | 'screen'>

/** Fields that are shown only once. */
const SECRET_FIELDS = ['key', 'token', 'link', 'secret']
/** Fields that are hidden if their value is "none" or false. */
const HIDDEN_IF_NONE = ['priority_name', 'size', 'blocked', 'overdue', 'important']
/** Longer texts are shown below the other fields, under a heading. */
const BLOCK_LENGTH = 200
/** Objects with a name and at most this many fields, such as labels, are shown by their name. */
const MAX_SMALL_FIELDS = 3

/**
 * Operations of which only this field is printed if it is set, unchanged, because it may be piped.
 */
const TEXT_FIELDS: Record<string, string> = {
  'pages.get': 'content',
  'pages.canvas': 'html',
  'pages.diff': 'diff',
  'flow.report': 'csv',
  'time.report': 'csv',
}

/** Prints the result of an operation for people. */
export async function printResult(
  op: OperationDescription,
  { data, page }: ApiAnswer,
  input: Fields,
  output: Output,
): Promise<void> {
  const text = (data as Row)[TEXT_FIELDS[op.name] ?? '']
  if (typeof text === 'string') return printVerbatim(text, output)
  if (hasPassages(op.name) && (data as Row[]).length)
    return output.out(renderPassages(op.name, data as Row[], output.screen))
  if (op.name === 'chat.thread') return output.out(renderThread(data as never, output.screen))
  if (op.output.list) {
    printRows(op, op.output.properties.items.items, data as Row[], input, output)
    if (page?.has_more) output.err(moreHint(data as Row[], page.total))
    return
  }
  const schema = variantOf(op.output, data)
  if (Array.isArray(data)) {
    printRows(op, schema.items, data, input, output)
    return
  }
  const sentence = sentenceOf(op, data as Row)
  output.out(
    sentence === undefined ? renderRecord(op, schema, data as Row, output) : plain(sentence),
  )
  const { page: innerPage, understood, similar, ...record } = data as Row
  if (sentence !== undefined && similar) printSimilar(similar as Row[], output)
  const parsedTask = understood ? describeParsedTask(understood as Row) : ''
  if (parsedTask) output.out(parsedTask)
  if (op.output.secret && SECRET_FIELDS.some((name) => record[name]))
    output.err('Save it now: it is not shown again')
  if ((innerPage as PageInfo | undefined)?.has_more)
    output.err('More rows are available; see --cursor and --json')
}

function printSimilar(tasks: readonly Row[], { out }: Output): void {
  for (const { ticket_number, title, done } of tasks)
    out(plain(`Similar: ${ticket_number} ${title}${done ? ' (done)' : ''}`))
}

async function printVerbatim(text: string, { out, exact, screen }: Output) {
  if (screen.width === undefined) await exact(text)
  else out(safe(text).replace(/\n$/, ''))
}

const moreHint = ({ length }: Row[], total: number | null) =>
  `${length} of ${total ?? 'more than 10,000'}; --all shows all, --limit N shows more`

function printRows(
  op: OperationDescription,
  item: TSchema,
  data: Row[],
  { fields }: Fields,
  output: Output,
): void {
  const requested = fields === undefined ? undefined : [fields].flat()
  if (data.length) output.out(renderList(op, item, data, output, requested))
  else output.err('Nothing to list')
}

function renderList(
  op: OperationDescription,
  item: TSchema,
  data: Row[],
  output: Output,
  fields?: unknown[],
) {
  const requested = fields
    ?.flatMap((field) => String(field).split(','))
    .map((field) => field.trim())
  const names: string[] = requested ?? item.columns ?? Object.keys(item.properties)
  const columns = names.filter((name) => requested || data.some((row) => cell(valueAt(row, name))))
  return table(
    data.map((row) => columns.map((name) => cell(valueAt(row, name)))),
    columns.map((name) => titleOf(op, name)),
    output.screen,
  )
}

/** The value at a path: `labels.name` is the name of each label, `actor.name` that of the actor. */
function valueAt(row: Row, path: string): unknown {
  const [name = '', innerField] = path.split('.')
  const value = row[name]
  // People need no line that says there is none.
  if (HIDDEN_IF_NONE.includes(name) && /^(none|false)$/i.test(String(value))) return undefined
  if (name === 'recurrence' && typeof value === 'string') return describeRule(value)
  if (!innerField) return value
  if (Array.isArray(value)) return value.map((item) => item?.[innerField] ?? item)
  return typeof value === 'object' && value !== null ? (value as Row)[innerField] : value
}

/** Renders a record: a line for each field, and blocks below for long texts and nested records. */
function renderRecord(
  op: OperationDescription,
  schema: TSchema,
  data: Row,
  output: Output,
): string {
  const lines: [string, string][] = []
  const blocks: string[] = []
  for (const path of pathsOf(schema, data)) {
    const value = valueAt(data, path)
    const text = cell(value)
    // `page` is reported after the record, if there is more.
    if (!text || path === 'page') continue
    const title = titleOf(op, path)
    const innerSchema = variantOf(schema.properties?.[path] ?? {}, value)
    const block = renderBlock(op, innerSchema, value, output)
    if (block === undefined) lines.push([title, text])
    else blocks.push(`${heading(title, output)}\n${block}`)
  }
  const width = Math.max(0, ...lines.map(([title]) => title.length))
  const short = lines.map(([title, text]) => `${title.padEnd(width)}  ${text}`).join('\n')
  return [short, ...blocks].filter(Boolean).join('\n\n')
}

/** The fields to show: the columns of a list, then other fields that are set and not redundant. */
function pathsOf({ columns, omits, properties }: TSchema, data: Row): string[] {
  if (!columns) return Object.keys(data)
  const columnNames = new Set((columns as string[]).map((path) => path.split('.')[0]))
  const isWorthShowing = (name: string) =>
    !(columnNames.has(name) || name in (omits ?? {}) || data[name] === properties[name]?.absent)
  return [...columns, ...Object.keys(data).filter(isWorthShowing)]
}

/** The block for a value that does not fit in a line; undefined if it fits. */
function renderBlock(op: OperationDescription, schema: TSchema, value: unknown, output: Output) {
  if (isLong(value)) return safe(String(value)).trimEnd()
  if (isTable(value)) return renderList(op, itemOf(schema, value), value, output)
  const childField = childrenField(schema)
  if (childField && isRecord(value)) {
    const columns = schema.columns?.filter((name: string) => name !== childField)
    return renderList(op, { ...schema, columns }, flattenTree(value, childField), output)
  }
  return isRecord(value) ? renderRecord(op, schema, value, output) : undefined
}

/** The field of a tree node that holds its children. */
const childrenField = ({ properties = {} }: TSchema) =>
  Object.keys(properties).find((name) => properties[name].items?.again)

/** Flattens a tree. Titles are indented by their depth. */
const flattenTree = (row: Row, childField: string, depth = 0): Row[] => [
  { ...row, title: `${'· '.repeat(depth)}${row.title}` },
  ...(row[childField] as Row[]).flatMap((child) => flattenTree(child, childField, depth + 1)),
]

const heading = (title: string, { screen }: Output) =>
  screen.colour ? `\x1b[1m${title}\x1b[22m` : `${title}:`

const isLong = (value: unknown): boolean =>
  typeof value === 'string' && (value.length > BLOCK_LENGTH || value.trimEnd().includes('\n'))

const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !nameIn(value as Row)

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) &&
  value.some((one) => one && typeof one === 'object' && !isSmall(one as Row))

const isSmall = (one: Row) =>
  nameIn(one) !== undefined && Object.keys(one).length <= MAX_SMALL_FIELDS

/** The schema of a row. Without one, the fields of the first row are used. */
const itemOf = ({ items }: TSchema, [first]: Row[]): TSchema =>
  items?.properties ? items : ({ properties: first } as unknown as TSchema)

const variantOf = (schema: TSchema, value: unknown): TSchema =>
  schema.anyOf?.find((variant: TSchema) => (variant.type === 'array') === Array.isArray(value)) ??
  schema

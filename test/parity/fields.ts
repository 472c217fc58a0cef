import { catalog } from '../../src/catalog.ts'
import { type Format, loadConverter } from '../../src/content/index.ts'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import { overChat, overMcp, overRest } from '../ask.ts'
import type { Sample } from '../content/corpus/index.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from '../content/visible.ts'
import { overCli } from '../terminal.ts'

export type Fields = Record<string, unknown>
export type Send = typeof overRest

/** A field of an operation that takes texts of people and agents. */
export interface TextField {
  /** Such as `comments.add.text`, or `projects.create.tasks[].description`. */
  name: string
  op: AnyOperation
  path: string[]
  most: number
  /** Texts are HTML or markdown. Any other text is returned as it was sent. */
  isFormatted: boolean
  /** The caller may name the format. */
  takesFormat: boolean
}

interface Schema {
  type?: string
  maxLength?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** The shortest limit of a field that takes more than a line. */
const LONG = 1000

/** Fields for long strings that are not tested as texts, with the reason. */
const OTHERS: Record<string, string> = {
  'projects.create.source_summary': 'kept for the record; only an export has it',
  'feedback.report.error': 'never kept',
  'feedback.report.note': 'never kept',
  'search.related.text': 'a query',
  'user_context.update_profile.avatar': 'an address or an emoji',
  'chat.reply.text': 'goes to a model',
  'skills.create.markdown': 'a file with front matter, of which body is a part',
  'skills.update.markdown': 'a file with front matter, of which body is a part',
  'custom_fields.set.value': 'a value, in the format of its field',
}
const NO_TEXT =
  /^pull_requests\.sync\.|^password\.|_key$|\.(?:data|urls?|filename|cursor|fields|value)(?:\[\])?$/

/** Always stored as HTML, so the caller names no format. */
const HTML = /^drafts\.(?:create|update|preview)\.text$|^projects\.create\.description$/

/** Every field of the catalog that takes texts, found by its schema, so new ones are included. */
export const textFields: TextField[] = (catalog as readonly AnyOperation[])
  .filter((op) => !isRead(op))
  .flatMap((op) => fieldsIn(op, op.input as Schema, []))
  .filter(({ name }) => !NO_TEXT.test(name) && !(name in OTHERS))

export function isRead({ on }: AnyOperation): boolean {
  const [route] = toArray(on.rest)
  return route?.startsWith('GET ') ?? false
}

function fieldsIn(op: AnyOperation, schema: Schema, path: string[]): TextField[] {
  const { type, maxLength = 0, properties = {}, items, anyOf = [] } = schema
  const inItems = items ? fieldsIn(op, items, [...path.slice(0, -1), `${path.at(-1)}[]`]) : []
  const inside = Object.entries(properties).flatMap(([name, one]) => {
    const takesFormat = isFormat(properties.content_type)
    return fieldsIn(op, one, [...path, name]).map((field) =>
      field.path.length === path.length + 1
        ? { ...field, takesFormat, isFormatted: takesFormat || field.isFormatted }
        : field,
    )
  })
  const own = type === 'string' && maxLength >= LONG ? [fieldAt(op, path, maxLength)] : []
  return [...own, ...inItems, ...inside, ...anyOf.flatMap((one) => fieldsIn(op, one, path))]
}

function isFormat(schema: Schema | undefined): boolean {
  return JSON.stringify(schema ?? '').includes('"markdown"')
}

function fieldAt(op: AnyOperation, path: string[], most: number): TextField {
  const name = `${op.name}.${path.join('.')}`
  return { name, op, path, most, isFormatted: HTML.test(name), takesFormat: false }
}

const ALL: Record<string, { send: Send; has(op: AnyOperation): boolean }> = {
  REST: { send: overRest, has: ({ on }) => toArray(on.rest).length > 0 },
  MCP: {
    send: (w, actor, op, input) => overMcp(w, actor, op, input),
    has: ({ on }) => toArray(on.mcp).length > 0,
  },
  CLI: { send: overCli, has: ({ on }) => on.cli !== undefined },
  chat: { send: overChat, has: ({ on }) => on.chat === true },
}

/** The surfaces that offer an operation. */
export const surfacesOf = (op: AnyOperation): [string, Send][] =>
  Object.entries(ALL).flatMap(([name, { send, has }]) => (has(op) ? [[name, send]] : []))

/** The input with a text in that field, and its format beside it. */
export function filled(
  input: Fields,
  path: readonly string[],
  text: string,
  content_type?: Format,
): Fields {
  const [name = '', ...rest] = path
  const key = name.replace('[]', '')
  const put = (inside: unknown) =>
    rest.length ? filled(inside as Fields, rest, text, content_type) : text
  const format = !rest.length && content_type ? { content_type } : {}
  if (key === name) return { ...input, [key]: put(input[key] ?? {}), ...format }
  const [first] = (input[key] ?? []) as unknown[]
  return { ...input, [key]: [put(first ?? {})] }
}

/** A text in a response, with the format that is named beside it. */
export interface Found {
  text: string
  format: Format | undefined
}

export function textsIn(value: unknown): Found[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  const { format, content_type } = value as { format?: Format; content_type?: Format }
  return Object.values(value).flatMap((one) =>
    typeof one === 'string'
      ? [{ text: one, format: format ?? content_type }]
      : Array.isArray(one) && one.every((item) => typeof item === 'string')
        ? one.map((text) => ({ text, format: undefined }))
        : textsIn(one),
  )
}

const converter = await loadConverter()

/** Line endings and surrounding white space do not count. */
const plain = (text: string) => text.replace(/\r\n?/g, '\n').trim()

/** Whether a text that was found holds every visible character of the one that was sent. */
export function isWhole(sample: Sample, meant: Format | undefined, { text, format }: Found) {
  if (meant === undefined) return plain(text) === plain(sample.text)
  if (meant === 'markdown' && format === 'markdown') return text === sample.text
  const shown = visible(format === 'markdown' ? converter.html(text, 'markdown') : text)
  return meant === 'html'
    ? shown === shownOfHtml(sample)
    : unmarked(shown) === shownOfMarkdown(sample)
}

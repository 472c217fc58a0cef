import { catalog } from '../../src/catalog.ts'
import { type Format, loadConverter } from '../../src/content/index.ts'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import type { Sample } from '../content/corpus/index.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from '../content/visible.ts'
import { samples } from '../support/samples.ts'
import { callChat, callMcp, callRest } from '../support/surface-calls.ts'
import { callCli } from '../support/terminal.ts'

export type Fields = Record<string, unknown>
export type Send = typeof callRest

/** An input field for texts of people and agents. */
export interface TextField {
  /** Such as `comments.add.text`, or `projects.create.tasks[].description`. */
  name: string
  op: AnyOperation
  path: string[]
  maxLength: number
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

/** Fields with a lower limit hold one line. */
const MIN_LIMIT = 1000

const EXCLUDED_NAMES =
  /^pull_requests\.sync\.|^password\.|_key$|\.(?:data|urls?|filename|cursor|fields|value)(?:\[\])?$|\.(?:attachments|files)\[\]\.text$/

/** Always stored as HTML, so the caller names no format. */
const HTML = /^drafts\.(?:create|update|preview)\.text$|^projects\.create\.description$/

/** Every field of the catalog that takes texts, found by its schema, so new ones are included. */
export const textFields: TextField[] = (catalog as readonly AnyOperation[])
  .filter((op) => !isRead(op))
  .flatMap((op) => fieldsIn(op, op.input as Schema, []))

  .filter(
    ({ name, op, path }) =>
      !EXCLUDED_NAMES.test(name) && !samples[op.name]?.noTexts?.[path.join('.')],
  )

export function isRead({ on }: AnyOperation): boolean {
  const [route] = toArray(on.rest)
  return route?.startsWith('GET ') ?? false
}

function fieldsIn(op: AnyOperation, schema: Schema, path: string[]): TextField[] {
  const { type, maxLength = 0, properties = {}, items, anyOf = [] } = schema
  const inItems = items ? fieldsIn(op, items, [...path.slice(0, -1), `${path.at(-1)}[]`]) : []
  const inProperties = Object.entries(properties).flatMap(([name, one]) => {
    const takesFormat = isFormat(properties.content_type)
    return fieldsIn(op, one, [...path, name]).map((field) =>
      field.path.length === path.length + 1
        ? { ...field, takesFormat, isFormatted: takesFormat || field.isFormatted }
        : field,
    )
  })
  const ownField = type === 'string' && maxLength >= MIN_LIMIT ? [fieldAt(op, path, maxLength)] : []
  return [
    ...ownField,
    ...inItems,
    ...inProperties,
    ...anyOf.flatMap((one) => fieldsIn(op, one, path)),
  ]
}

function isFormat(schema: Schema | undefined): boolean {
  return JSON.stringify(schema ?? '').includes('"markdown"')
}

function fieldAt(op: AnyOperation, path: string[], maxLength: number): TextField {
  const name = `${op.name}.${path.join('.')}`
  return { name, op, path, maxLength, isFormatted: HTML.test(name), takesFormat: false }
}

const SURFACES: Record<string, { send: Send; isOffered(op: AnyOperation): boolean }> = {
  REST: { send: callRest, isOffered: ({ on }) => toArray(on.rest).length > 0 },
  MCP: {
    send: (w, actor, op, input) => callMcp(w, actor, op, input),
    isOffered: ({ on }) => toArray(on.mcp).length > 0,
  },
  CLI: { send: callCli, isOffered: ({ on }) => on.cli !== undefined },
  chat: { send: callChat, isOffered: ({ on }) => on.chat === true },
}

/** The surfaces that offer an operation. */
export const surfacesOf = (op: AnyOperation): [string, Send][] =>
  Object.entries(SURFACES).flatMap(([name, { send, isOffered }]) =>
    isOffered(op) ? [[name, send]] : [],
  )

/** The input with a text in that field, and its format beside it. */
export function withText(
  input: Fields,
  path: readonly string[],
  text: string,
  content_type?: Format,
): Fields {
  const [name = '', ...rest] = path
  const key = name.replace('[]', '')
  const setText = (value: unknown) =>
    rest.length ? withText(value as Fields, rest, text, content_type) : text
  const format = !rest.length && content_type ? { content_type } : {}
  if (key === name) return { ...input, [key]: setText(input[key] ?? {}), ...format }
  const [first] = (input[key] ?? []) as unknown[]
  return { ...input, [key]: [setText(first ?? {})] }
}

/** A text in a response, with the format that is named beside it. */
export interface FoundText {
  text: string
  format: Format | undefined
}

export function textsIn(value: unknown): FoundText[] {
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
const normalize = (text: string) => text.replace(/\r\n?/g, '\n').trim()

/** Whether a text that was found holds every visible character of the one that was sent. */
export function hasEveryCharacter(
  sample: Sample,
  intendedFormat: Format | undefined,
  { text, format }: FoundText,
) {
  if (intendedFormat === undefined) return normalize(text) === normalize(sample.text)
  if (intendedFormat === 'markdown' && format === 'markdown') return text === sample.text
  const visibleText = visible(format === 'markdown' ? converter.html(text, 'markdown') : text)
  return intendedFormat === 'html'
    ? visibleText === shownOfHtml(sample)
    : unmarked(visibleText) === shownOfMarkdown(sample)
}

import { isObject } from './json.ts'
import { wordsOf } from './names.ts'
import type { RecordCollector } from './record-collector.ts'
import { cut, type TypedValue } from './task-limits.ts'

type Scalar = string | number | boolean

/** What a task has besides the fields of ours: custom fields, and sections of its description. */
export interface Extras {
  fields: Map<string, Scalar>
  sections: { title: string; text: string }[]
}

export const noExtras = (): Extras => ({ fields: new Map(), sections: [] })

/** Longer texts are sections: a custom field is one line. */
const MAX_FIELD_TEXT = 200

/** Adds a value as a custom field if it is short, else as a section. Empty ones are left out. */
export function addExtra(extras: Extras, title: string, value: unknown): void {
  const name = cut(title, 100) || 'Value'
  const isShort =
    typeof value === 'string' && value.length <= MAX_FIELD_TEXT && !value.includes('\n')
  if (isShort && !value.trim()) return
  if (isShort || typeof value === 'number' || typeof value === 'boolean')
    extras.fields.set(name, isShort ? value.trim() : (value as Scalar))
  else addSection(extras, title, value)
}

export function addSection(extras: Extras, title: string, value: unknown): void {
  const text = sectionText(value)
  if (text) extras.sections.push({ title, text })
}

/** A description with the sections below it. */
export const describe = (text: string, { sections }: Extras): string =>
  [text.trim(), ...sections.map((section) => `## ${section.title}\n\n${section.text}`)]
    .filter(Boolean)
    .join('\n\n')

/** Lists and objects become bullet lists. */
function sectionText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return isObject(value) || Array.isArray(value) ? bullets(value, '').join('\n') : ''
}

const MAX_INDENT = 20

function bullets(value: object, indent: string): string[] {
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([name, item]) => {
    if (item === null || item === undefined || item === '') return []
    const label = isList ? '' : `${wordsOf(name)}: `
    const isNested = typeof item === 'object' && indent.length < MAX_INDENT
    if (isNested) {
      const below = bullets(item, `${indent}  `)
      if (!isList) return below.length ? [`${indent}- ${wordsOf(name)}:`, ...below] : []
      return below.length ? [`${indent}- ${below[0]!.trim().slice(2)}`, ...below.slice(1)] : []
    }
    const text = typeof item === 'object' ? JSON.stringify(item) : String(item).trim()
    return [`${indent}- ${label}${text.replaceAll('\n', `\n${indent}  `)}`]
  })
}

/** The custom fields of a task. Those in `selects` are selects; a number in a text stays a text. */
export const fieldsOf = ({ fields }: Extras, selects: readonly string[] = []): TypedValue[] =>
  [...fields].map(([name, value]) => {
    const isText = typeof value === 'string' && /^-?[\d.]+$/.test(value)
    return { name, value, type: selects.includes(name) ? 'select' : isText ? 'text' : undefined }
  })

/** The id of a person, who is known only by a name such as `@ana`. */
export const personOf = (name: string, records: RecordCollector): string | undefined =>
  records.person(name.trim().replace(/^@/, '').slice(0, 200))

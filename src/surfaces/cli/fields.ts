import { type TSchema, Type as t } from '@sinclair/typebox'
import { withDeprecation } from '../../kernel/deprecation.ts'
import { matchWord } from '../../kernel/respell.ts'
import type { Flag } from './command.ts'
import { UsageError } from './command.ts'

/** A field that can be longer gets a second flag that reads the text from a file. */
const FILE_LENGTH = 10_000
/** Lists whose entries are at most this long can be separated by commas. */
const COMMA_LENGTH = 500
/** The longest list of choices that fits as the hint of a flag. */
const HINT_WIDTH = 32

/** The kind of value that a field takes on the command line. */
interface Kind {
  type: 'number' | 'boolean' | 'text' | 'choice' | 'list' | 'json' | 'either'
  /** Whether the value can be null. An empty text means null. */
  nullable: boolean
  choices?: string[]
  /** The schema of an entry, for lists. */
  item?: TSchema
  long?: boolean
}

const variantsOf = (schema: TSchema): TSchema[] => schema.anyOf?.flatMap(variantsOf) ?? [schema]

export function kindOf(schema: TSchema): Kind {
  const variants = variantsOf(schema)
  const nonNull = variants.filter(({ type }) => type !== 'null')
  const nullable = nonNull.length < variants.length
  const types = new Set(nonNull.map(({ type }) => type))
  const list = nonNull.find(({ type }) => type === 'array')
  // If a single value is accepted as well, an entry can be of either schema.
  const others = nonNull.filter((variant) => variant !== list)
  if (list) return { type: 'list', nullable, item: t.Union([list.items, ...others]) }
  if (nonNull.every((one) => one.const !== undefined))
    return { type: 'choice', nullable, choices: nonNull.map((one) => String(one.const)) }
  if (types.has('object')) return { type: 'json', nullable }
  // If several types are possible, the text is sent and the server interprets it.
  if (types.has('string') && types.has('boolean')) return { type: 'text', nullable }
  const numeric = types.has('integer') || types.has('number')
  if (numeric) return { type: types.size > 1 ? 'either' : 'number', nullable }
  if (types.has('boolean')) return { type: 'boolean', nullable }
  return {
    type: 'text',
    nullable,
    long: nonNull.some(({ maxLength = 0 }) => maxLength > FILE_LENGTH),
  }
}

/**
 * The only required field of an object in a list, if it is a text. That text can stand for the
 * object.
 */
function mainTextOf(item: TSchema): string | undefined {
  const [object, ...rest] = variantsOf(item)
  if (rest.length || object?.type !== 'object') return undefined
  const [name, ...otherNames]: string[] = object.required ?? []
  return name && !otherNames.length && object.properties[name].type === 'string' ? name : undefined
}

const isCommaSeparated = (item: TSchema): boolean =>
  variantsOf(item).every((one) => {
    const mainText = mainTextOf(one)
    const { type, maxLength = 0 } = mainText ? one.properties[mainText] : one
    return type === 'string' ? maxLength <= COMMA_LENGTH : type !== 'object'
  })

/** The flag for a field. */
export function flagOf(name: string, schema: TSchema, required: boolean): Flag {
  const kind = kindOf(schema)
  const description = (schema.description ??
    variantsOf(schema)[0]!.description ??
    sentence(name)) as string
  const clearHint =
    kind.nullable && !required && !/\bnull\b/.test(description) ? '; "" clears it' : ''
  const words = kind.choices?.join('|') ?? ''
  const choices = words.length > HINT_WIDTH ? `; one of ${kind.choices!.join(', ')}` : ''
  const text = description.replace(/\bnull\b(?=[ :])/g, '""') + clearHint + choices
  const about = withDeprecation(text, schema.deprecated)
  if (kind.type === 'boolean' && !kind.nullable)
    return { type: 'boolean', ...(schema.negatable !== false && { negatable: true }), about }
  return {
    type: 'string',
    hint: schema.hint ?? (words && !choices ? words : hintOf(name, kind)),
    about,
    ...(required && { required }),
    ...(kind.type === 'list' && { repeat: true }),
    ...(kind.choices && !kind.nullable && { choices: kind.choices }),
  }
}

const sentence = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

function hintOf(name: string, { type, item }: Kind): string {
  if (type === 'number') return name.endsWith('_id') ? 'ID' : 'N'
  if (type === 'json') return 'JSON'
  if (type === 'boolean') return 'true|false'
  if (type === 'choice') return 'WORD'
  if (type !== 'list') return /(^|_)(date|since|at|until)(_|$)/.test(name) ? 'DATE' : 'TEXT'
  const kind = mainTextOf(item!) ? 'text' : kindOf(item!).type
  const hint = item!.hint ?? (kind === 'number' ? 'ID' : kind === 'json' ? 'JSON' : 'TEXT')
  return isCommaSeparated(item!) ? `${hint},…` : hint
}

/** Converts typed texts to the value of a field. The label names the field in messages. */
export function valueIn(label: string, schema: TSchema, texts: readonly string[]): unknown {
  const kind = kindOf(schema)
  if (kind.nullable && texts.every((text) => text === '')) return null
  if (kind.type === 'list') return parseList(label, kind.item!, texts)
  return parseOne(label, kind, texts.at(-1)!)
}

function parseOne(label: string, kind: Kind, text: string): unknown {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  if (kind.type === 'number' && !isNumber) throw wrongValue(label, 'a number', text)
  if (kind.type === 'number' || (kind.type === 'either' && isNumber)) return Number(text)
  if (kind.type === 'boolean') return parseBoolean(label, text)
  if (kind.type === 'json') return parseJson(label, text)
  if (!kind.choices) return text
  const choice = matchWord(text, kind.choices)
  if (choice === undefined) throw wrongValue(label, `one of ${kind.choices.join(', ')}`, text)
  return choice
}

function parseList(label: string, item: TSchema, texts: readonly string[]): unknown[] {
  const kind = kindOf(item)
  return texts.flatMap((text) => {
    const array = parseArray(text)
    if (array) return array
    const parts = isCommaSeparated(item) && !/^\s*\{/.test(text) ? text.split(',') : [text]
    return parts
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) =>
        kind.type === 'json' ? parseObject(label, item, part) : parseOne(label, kind, part),
      )
  })
}

/** Parses a list in JSON. Returns undefined for a text that only begins with a bracket. */
function parseArray(text: string): unknown[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseObject(label: string, item: TSchema, text: string): unknown {
  const mainText = mainTextOf(item)
  return mainText && !text.startsWith('{') ? { [mainText]: text } : parseJson(label, text)
}

/** Parses a switch: an empty text is true, and "false" comes from a negated flag. */
function parseBoolean(label: string, text: string): boolean {
  if (text === '' || text === 'true') return true
  if (text === 'false') return false
  throw wrongValue(label, 'true or false', text)
}

function parseJson(label: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${label} must be JSON: ${(error as Error).message}`)
  }
}

const wrongValue = (label: string, expected: string, text: string) =>
  new UsageError(`${label} must be ${expected}, not "${text}"`)

import { type TSchema, Type as t } from '@sinclair/typebox'
import type { Flag } from './command.ts'
import { WrongUsage } from './command.ts'

/** Texts that people rather write in a file than on a line. */
const LONG = 10_000
/** Where every entry is short, a comma parts them. */
const SHORT = 500
/** As many choices as fit beside the name of a flag. */
const NARROW = 32

/** What kind of value a field takes, of those that a line can say. */
interface Kind {
  type: 'number' | 'boolean' | 'text' | 'choice' | 'list' | 'json' | 'either'
  /** Nothing may stand there; an empty text says so. */
  nullable: boolean
  choices?: string[]
  /** Of a list: what one entry can be. */
  item?: TSchema
  long?: boolean
}

const variantsOf = (schema: TSchema): TSchema[] => schema.anyOf?.flatMap(variantsOf) ?? [schema]

export function kindOf(schema: TSchema): Kind {
  const all = variantsOf(schema)
  const real = all.filter(({ type }) => type !== 'null')
  const nullable = real.length < all.length
  const types = new Set(real.map(({ type }) => type))
  const list = real.find(({ type }) => type === 'array')
  // Where one alone will do as well, an entry is whatever either takes.
  const alone = real.filter((one) => one !== list)
  if (list) return { type: 'list', nullable, item: t.Union([list.items, ...alone]) }
  if (real.every((one) => one.const !== undefined))
    return { type: 'choice', nullable, choices: real.map((one) => String(one.const)) }
  if (types.has('object')) return { type: 'json', nullable }
  // Where anything may stand, the server knows what the words mean.
  if (types.has('string') && types.has('boolean')) return { type: 'text', nullable }
  const numeric = types.has('integer') || types.has('number')
  if (numeric) return { type: types.size > 1 ? 'either' : 'number', nullable }
  if (types.has('boolean')) return { type: 'boolean', nullable }
  return { type: 'text', nullable, long: real.some(({ maxLength = 0 }) => maxLength > LONG) }
}

/** The one text that an object in a list cannot do without, which then stands for the object. */
function gistOf(item: TSchema): string | undefined {
  const [object, ...others] = variantsOf(item)
  if (others.length || object?.type !== 'object') return undefined
  const [name, ...more]: string[] = object.required ?? []
  return name && !more.length && object.properties[name].type === 'string' ? name : undefined
}

const parted = (item: TSchema): boolean =>
  variantsOf(item).every((one) => {
    const gist = gistOf(one)
    const { type, maxLength = 0 } = gist ? one.properties[gist] : one
    return type === 'string' ? maxLength <= SHORT : type !== 'object'
  })

/** The flag by which a field is given. */
export function flagOf(name: string, schema: TSchema, required: boolean): Flag {
  const kind = kindOf(schema)
  const told = (schema.description ??
    variantsOf(schema)[0]!.description ??
    sentence(name)) as string
  const clears = kind.nullable && !required && !/\bnull\b/.test(told) ? '; "" clears it' : ''
  const words = kind.choices?.join('|') ?? ''
  const choices = words.length > NARROW ? `; one of ${kind.choices!.join(', ')}` : ''
  const about = told.replace(/\bnull\b(?=[ :])/g, '""') + clears + choices
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
  const kind = gistOf(item!) ? 'text' : kindOf(item!).type
  const one = item!.hint ?? (kind === 'number' ? 'ID' : kind === 'json' ? 'JSON' : 'TEXT')
  return parted(item!) ? `${one},…` : one
}

/** What was typed, as the field's value. `said` is how the person named the field. */
export function valueIn(said: string, schema: TSchema, texts: readonly string[]): unknown {
  const kind = kindOf(schema)
  if (kind.nullable && texts.every((text) => text === '')) return null
  if (kind.type === 'list') return listOf(said, kind.item!, texts)
  return oneOf(said, kind, texts.at(-1)!)
}

function oneOf(said: string, kind: Kind, text: string): unknown {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  if (kind.type === 'number' && !isNumber) throw wrong(said, 'a number', text)
  if (kind.type === 'number' || (kind.type === 'either' && isNumber)) return Number(text)
  if (kind.type === 'boolean') return truth(said, text)
  if (kind.type === 'json') return parsed(said, text)
  if (kind.choices && !kind.choices.includes(text))
    throw wrong(said, `one of ${kind.choices.join(', ')}`, text)
  return text
}

function listOf(said: string, item: TSchema, texts: readonly string[]): unknown[] {
  const kind = kindOf(item)
  return texts.flatMap((text) => {
    const array = arrayIn(text)
    if (array) return array
    const parts = parted(item) && !/^\s*\{/.test(text) ? text.split(',') : [text]
    return parts
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part) => (kind.type === 'json' ? objectOf(said, item, part) : oneOf(said, kind, part)))
  })
}

/** A list written in JSON; a text that only begins with a bracket is none. */
function arrayIn(text: string): unknown[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(said: string, item: TSchema, text: string): unknown {
  const gist = gistOf(item)
  return gist && !text.startsWith('{') ? { [gist]: text } : parsed(said, text)
}

/** A switch is given as an empty text, or as "false" where it was negated. */
function truth(said: string, text: string): boolean {
  if (text === '' || text === 'true') return true
  if (text === 'false') return false
  throw wrong(said, 'true or false', text)
}

function parsed(said: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongUsage(`${said} must be JSON: ${(error as Error).message}`)
  }
}

const wrong = (said: string, what: string, text: string) =>
  new WrongUsage(`${said} must be ${what}, not "${text}"`)

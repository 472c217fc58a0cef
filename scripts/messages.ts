/**
 * Compiles the app's messages into the modules that use them, so that no part of the app loads the
 * texts of another. The English text stays in the module. It is the key of its translation too, so
 * English costs no more than without translations: t('common.add') becomes t`Add`.
 */
import MessageFormat from '@messageformat/core'
// @ts-expect-error It has no types.
import compileModule from '@messageformat/core/compile-module.js'
import { parseSync } from '@swc/core'
import en from '../src/web/messages/en.json'
import { hashOf } from '../src/web/messages/hash.ts'

export type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>

const format = new MessageFormat('en')

interface Node {
  type: string
  span: { start: number; end: number }
  [name: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** `t('board.add')`, `t('board.added', {…})` or `rich('board.added', {…})`. */
interface Use extends Node {
  callee: Node
  arguments: { expression: Node }[]
}
const isUse = (node: Node): node is Use =>
  node.type === 'CallExpression' && ['t', 'rich'].includes(String((node.callee as Node).value))

/** The uses of messages in a module, in its order. One may contain others. */
const usesIn = (value: unknown): Use[] =>
  isNode(value) ? [...(isUse(value) ? [value] : []), ...Object.values(value).flatMap(usesIn)] : []

/** A module while its messages are compiled. */
interface Module {
  bytes: Buffer
  /** The position of the first byte, as the parser counts. */
  offset: number
  uses: readonly Use[]
  catalog: Catalog
  homonyms: ReadonlySet<string>
  /** The messages that become functions. */
  messages: string[]
  lookups: Lookups
}

/** What a compiled module looks up in the language of the page. */
export interface Lookup {
  /** The key of the message in the catalog. */
  key: string
  /** What is hashed. */
  text: string
  /** The order of its values. Undefined if they are passed by name. */
  order?: readonly string[]
}

/** By the hash that the app looks for. */
export type Lookups = Map<string, Lookup>

interface Options {
  isTsx?: boolean
  catalog?: Catalog
  /** Keys whose translation another message with the same English text does not share. */
  homonyms?: ReadonlySet<string>
  /** Collects what the module looks up. */
  lookups?: Lookups
}

/** The source of a module with compiled messages. */
export function compileMessages(source: string, options: Options = {}): string {
  const { isTsx = true, catalog = en, homonyms = new Set(), lookups = new Map() } = options
  // The parser counts bytes, from the first token.
  const code = `;${source}`
  const parsed = parseSync(code, { syntax: 'typescript', tsx: isTsx }) as unknown as Node
  const [bytes, offset] = [Buffer.from(code), parsed.span.start]
  const uses = usesIn(parsed.body)
  const module: Module = { bytes, offset, uses, catalog, homonyms, messages: [], lookups }
  const compiled = render(module, { start: offset + 1, end: offset + bytes.length })
  if (!module.messages.length) return compiled
  // Short names, because they are loaded. First, because constants of the module may use it.
  const named = Object.fromEntries(module.messages.map((message, at) => [`m${at}`, message]))
  const functions: string = compileModule(format, named)
  return `${functions.replace('export default', 'const __messages =')}\n${compiled}`
}

/** A part of a module with compiled messages. */
function render(module: Module, { start, end }: Node['span']): string {
  const { bytes, offset } = module
  const sourceOf = (from: number, to: number) =>
    bytes.subarray(from - offset, to - offset).toString()
  let text = ''
  let at = start
  for (const use of module.uses) {
    if (use.span.start < at || use.span.end > end) continue
    text += sourceOf(at, use.span.start) + compile(module, use)
    at = use.span.end
  }
  return text + sourceOf(at, end)
}

function compile(module: Module, { callee, arguments: [argument, values] }: Use): string {
  const { catalog, homonyms, messages, lookups } = module
  const key = String(argument?.expression.value)
  const message = messageAt(catalog, key)
  if (message === undefined) throw new Error(`No message ${key} in en.json`)
  const parts = partsOf(message)
  const name = String(callee.value)
  if (name === 't' && parts && !homonyms.has(key)) {
    const inlined = inline(module, parts, values?.expression)
    if (inlined) {
      add(
        lookups,
        key,
        textKeyOf(parts),
        parts.filter((_, at) => at % 2),
      )
      return `t\`${inlined}\``
    }
  }
  add(lookups, key, key)
  const id = JSON.stringify(hashOf(key))
  if (parts?.length === 1) return `${name}(${id}, ${JSON.stringify(parts[0])})`
  if (!messages.includes(message)) messages.push(message)
  const english = `__messages.m${messages.indexOf(message)}`
  return `${name}(${id}, ${english}, ${render(module, values!.expression.span)})`
}

/** What the app hashes to look up a message by its English text. */
export const textKeyOf = (parts: readonly string[]) =>
  parts.filter((_, at) => at % 2 === 0).join('\0')

function add(lookups: Lookups, key: string, text: string, order?: readonly string[]) {
  const hash = hashOf(text)
  const before = lookups.get(hash)
  if (before && before.text !== text)
    throw new Error(`${before.key} and ${key} have the same hash: change one of them`)
  if (!before) lookups.set(hash, { key, text, ...(order && { order }) })
}

export function messageAt(catalog: Catalog, key: string): string | undefined {
  const [area = '', name = ''] = key.split('.')
  return catalog[area]?.[name]
}

/**
 * The texts and values of a template string, which is smaller than a function. Undefined if the call
 * has other values than the message, because each of them is evaluated once.
 */
function inline(module: Module, parts: readonly string[], object?: Node): string | undefined {
  const properties = (object?.properties ?? []) as Node[]
  const values = new Map(
    properties.map((one) => {
      const { value } = isNode(one.key) ? one.key : one
      return [value, isNode(one.value) ? one.value : one]
    }),
  )
  if (parts.length !== values.size * 2 + 1) return undefined
  const texts = parts.map((part, at) =>
    at % 2 ? `\${${render(module, values.get(part)!.span)}}` : part.replace(/[\\`]|\$\{/g, '\\$&'),
  )
  return texts.join('')
}

/** The texts of a message and, between them, the names of its values. Undefined for plurals. */
export function partsOf(message: string): string[] | undefined {
  if (/\{\w+,/.test(message)) return undefined
  const marks = new Proxy({}, { get: (_, name) => `\0${String(name)}\0` })
  return String(format.compile(message)(marks)).split('\0')
}

/** A message, compiled when it is needed. For tests, which import modules of the app as they are. */
export function formatMessage(key: string, values: Record<string, unknown> = {}): string {
  const [area, name] = key.split('.') as [keyof typeof en, string]
  return format.compile((en[area] as Record<string, string>)[name]!)(values)
}

if (import.meta.main) {
  const { printCheck } = await import('./messages-check.ts')
  const [command, language] = process.argv.slice(2)
  if (command !== '--check') throw new Error('Usage: bun scripts/messages.ts --check [language]')
  process.exit((await printCheck(language)) ? 0 : 1)
}

/**
 * Compiles the app's messages into the modules that use them, so that no part of the app loads the
 * texts of another.
 */
import MessageFormat from '@messageformat/core'
// @ts-expect-error It has no types.
import compileModule from '@messageformat/core/compile-module.js'
import { parseSync } from '@swc/core'
import en from '../src/web/messages/en.json'

type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>

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
  /** The messages that become functions. */
  messages: string[]
}

/** The source of a module with compiled messages. */
export function compileMessages(source: string, isTsx = true, catalog: Catalog = en): string {
  // The parser counts bytes, from the first token.
  const code = `;${source}`
  const parsed = parseSync(code, { syntax: 'typescript', tsx: isTsx }) as unknown as Node
  const bytes = Buffer.from(code)
  const offset = parsed.span.start
  const module: Module = { bytes, offset, uses: usesIn(parsed.body), catalog, messages: [] }
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

function compile(module: Module, { callee, arguments: [key, values] }: Use): string {
  const { catalog, messages } = module
  const [area = '', name = ''] = String(key?.expression.value).split('.')
  const message = catalog[area]?.[name]
  if (message === undefined) throw new Error(`No message ${area}.${name} in en.json`)
  if (!values) return JSON.stringify(format.compile(message)({}))
  const inlined = callee.value === 't' && inline(module, message, values.expression)
  if (inlined) return inlined
  if (!messages.includes(message)) messages.push(message)
  const id = `__messages.m${messages.indexOf(message)}`
  const object = render(module, values.expression.span)
  return callee.value === 't' ? `${id}(${object})` : `rich(${id}, ${object})`
}

/** A message as a template string, which is smaller than a function. Undefined for plurals. */
function inline(module: Module, message: string, { properties }: Node): string | undefined {
  const parts = partsOf(message)
  const values = new Map(
    (properties as Node[]).map((one) => {
      const { value } = isNode(one.key) ? one.key : one
      return [value, isNode(one.value) ? one.value : one]
    }),
  )
  // Each value is evaluated once.
  if (parts?.length !== values.size * 2 + 1) return undefined
  const texts = parts.map((part, at) =>
    at % 2 ? `\${${render(module, values.get(part)!.span)}}` : part.replace(/[\\`]|\$\{/g, '\\$&'),
  )
  return `\`${texts.join('')}\``
}

/** The texts of a message and, between them, the names of its values. Undefined for plurals. */
function partsOf(message: string): string[] | undefined {
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

/**
 * Compiles the app's messages into the modules that use them, so that no part of the app loads the
 * texts of another.
 */
import MessageFormat from '@messageformat/core'
// @ts-expect-error It has no types.
import compileModule from '@messageformat/core/compile-module.js'
import en from '../src/web/messages/en.json'

type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>

const format = new MessageFormat('en')
/** `t('board.add')`, `t('board.added', {…})` and `rich('board.added', {…})`. */
const USE = /\b(t|rich)\(\s*'(\w+)\.(\w+)'\s*(\)|,)/g

/** The source of a module with compiled messages. */
export function compileMessages(source: string, catalog: Catalog = en): string {
  const used: string[] = []
  const code = source.replace(USE, (_, call: 't' | 'rich', area: string, name: string, end) => {
    const message = catalog[area]?.[name]
    if (message === undefined) throw new Error(`No message ${area}.${name} in en.json`)
    if (end === ')') return JSON.stringify(format.compile(message)({}))
    if (!used.includes(message)) used.push(message)
    const id = `__messages.m${used.indexOf(message)}`
    return call === 't' ? `${id}(` : `rich(${id},`
  })
  if (!used.length) return code
  // Short names, because they are loaded. First, because constants of the module may use it.
  const messages = Object.fromEntries(used.map((message, at) => [`m${at}`, message]))
  const compiled: string = compileModule(format, messages)
  return `${compiled.replace('export default', 'const __messages =')}\n${code}`
}

/** A message, compiled when it is needed. For tests, which import modules of the app as they are. */
export function formatMessage(key: string, values: Record<string, unknown> = {}): string {
  const [area, name] = key.split('.') as [keyof typeof en, string]
  return format.compile((en[area] as Record<string, string>)[name]!)(values)
}

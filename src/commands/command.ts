import { parseArgs } from 'node:util'
import { nearest } from '../kernel/validate.ts'

/** Told to somebody who typed something this program does not know. */
export class WrongUsage extends Error {}

export interface Flag {
  type: 'string' | 'boolean'
  /** What stands for the value in the help. */
  hint?: string
  about: string
  required?: true
}

export type Values = Record<string, string | undefined>

export interface Command {
  summary: string
  about?: string
  flags: Record<string, Flag>
  /** A flag without a value is given as an empty text. Answers the exit code. */
  run(values: Values): Promise<number>
}

const HELP: Flag = { type: 'boolean', about: 'Show this help' }
export const DATA: Flag = {
  type: 'string',
  hint: 'DIR',
  about: 'The data folder (CORK_DATA, default ./data)',
}

/** The flags of one command, or why they cannot be what was meant. */
export function read(name: string, { flags }: Command, args: string[]): Values {
  const known: Command['flags'] = { ...flags, help: HELP }
  const options = Object.fromEntries(Object.entries(known).map(([k, { type }]) => [k, { type }]))
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const values: Values = {}
  for (const token of tokens) {
    if (token.kind === 'positional')
      throw new WrongUsage(`cork ${name} takes no argument "${token.value}"${seeHelp(name)}`)
    if (token.kind === 'option') values[token.name] = givenTo(name, known, token)
  }
  if (values.help !== undefined) return values
  const missing = Object.keys(known).filter((k) => known[k]?.required && values[k] === undefined)
  if (missing.length)
    throw new WrongUsage(
      `cork ${name} needs ${missing.map((k) => `--${k}`).join(', ')}${seeHelp(name)}`,
    )
  return values
}

interface Token {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function givenTo(command: string, known: Command['flags'], token: Token): string {
  const { name, rawName, value } = token
  const flag = Object.hasOwn(known, name) ? known[name] : undefined
  if (!flag) {
    const near = nearest(name, Object.keys(known))
    throw new WrongUsage(
      `cork ${command} has no flag ${rawName}${near ? `; did you mean --${near}?` : seeHelp(command)}`,
    )
  }
  const empty = value === undefined || (value.startsWith('--') && !token.inlineValue)
  if (flag.type === 'string' && empty)
    throw new WrongUsage(`${rawName} needs a value: ${rawName} ${flag.hint}`)
  if (flag.type === 'boolean' && value !== undefined)
    throw new WrongUsage(`${rawName} takes no value`)
  return value ?? ''
}

const seeHelp = (name: string) => `; see "cork ${name} --help"`

export function helpOf(name: string, { summary, about, flags }: Command): string {
  const rows = Object.entries({ ...flags, help: HELP }).map(([flag, { hint, about, required }]) => [
    `--${flag}${hint ? ` ${hint}` : ''}`,
    required ? `${about} (required)` : about,
  ])
  const words = [`cork ${name} [flags]`, summary + '.', ...(about ? [about] : [])]
  return `${words.join('\n\n')}\n\nFlags:\n${columns(rows)}\n`
}

export function columns(rows: string[][]): string {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', rest = '']) => `  ${first.padEnd(width)}  ${rest}`).join('\n')
}

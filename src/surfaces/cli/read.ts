import { parseArgs } from 'node:util'
import { nearest } from '../../kernel/validate.ts'
import {
  type Command,
  type Flag,
  flagsOf,
  type Lists,
  placeOf,
  usageOf,
  type Values,
  WrongUsage,
} from './command.ts'

export interface Said {
  values: Values
  lists: Lists
}

interface Token {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

/** What one command was told, or why it cannot be what was meant. */
export function read(name: string, command: Command, args: string[]): Said {
  const known = flagsOf(command)
  const options = Object.fromEntries(
    Object.entries(known).flatMap(([flag, { type, also }]) =>
      [flag, also ?? flag].map((one) => [one, { type }] as const),
    ),
  )
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const values: Values = {}
  const lists: Record<string, string[]> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const [flag, text] = givenTo(name, known, token)
    if (known[flag]?.repeat) lists[flag] = [...(lists[flag] ?? []), text]
    else values[flag] = text
  }
  if (values.help !== undefined) return { values, lists }
  place(name, command, words, { values, lists })
  const missing = Object.keys(known).filter(
    (flag) => known[flag]?.required && values[flag] === undefined && !lists[flag],
  )
  if (missing.length)
    throw new WrongUsage(
      `cork ${name} needs ${missing.map((flag) => `--${flag}`).join(', ')}${seeHelp(name)}`,
    )
  return { values, lists }
}

/** Puts the words into the arguments, one after another. */
function place(name: string, command: Command, words: string[], { values, lists }: Said): void {
  const args = command.args ?? []
  let next = 0
  for (const arg of args)
    if (arg.many) lists[arg.name] = words.slice(next)
    else if (next < words.length) values[arg.name] = words[next++]
  if (next < words.length && !args.at(-1)?.many) throw tooMany(name, args.length, words[next]!)
  const missing = args.filter((arg) =>
    arg.many ? !lists[arg.name]?.length : values[arg.name] === undefined,
  )
  const needed = missing.filter(({ required }) => required)
  if (needed.length)
    throw new WrongUsage(
      `cork ${name} needs ${needed.map(placeOf).join(' ')}\nUsage: ${usageOf(name, command)}`,
    )
}

const tooMany = (name: string, most: number, word: string) =>
  new WrongUsage(
    most === 0
      ? `cork ${name} takes no argument "${word}"${seeHelp(name)}`
      : `cork ${name} takes ${most === 1 ? 'one argument' : `${most} arguments`}, and "${word}" is one more. Put a text with blanks in quotes${seeHelp(name)}`,
  )

function givenTo(command: string, known: Command['flags'], token: Token): [string, string] {
  const { rawName, value } = token
  const [name, negated] = nameOf(known, token.name)
  const flag = Object.hasOwn(known, name) ? known[name] : undefined
  if (!flag) throw unknown(command, known, token)
  if (flag.type === 'boolean') {
    if (value !== undefined) throw new WrongUsage(`${rawName} takes no value`)
    return [name, negated ? 'false' : '']
  }
  if (value === undefined || (value.startsWith('--') && !token.inlineValue))
    throw new WrongUsage(
      `${rawName} needs a value: ${rawName} ${flag.hint ?? 'TEXT'}${value ? `. One that begins with -- is written ${rawName}=…` : ''}`,
    )
  refuseOther(rawName, flag, value)
  return [name, value]
}

function nameOf(known: Command['flags'], said: string): [string, boolean] {
  if (said === 'h') return ['help', false]
  if (Object.hasOwn(known, said)) return [said, false]
  const by = (spelt: string) =>
    Object.keys(known).find((flag) => flag === spelt || known[flag]!.also === spelt)
  const positive = said.startsWith('no-') ? by(said.slice(3)) : undefined
  if (positive && known[positive]!.negatable) return [positive, true]
  return [by(said) ?? said, false]
}

function unknown(command: string, known: Command['flags'], { name, rawName }: Token): WrongUsage {
  const near = name.length > 1 ? nearest(name, Object.keys(known)) : undefined
  const next = near
    ? `; did you mean --${near}?`
    : `${seeHelp(command)}${rawName.startsWith('--') ? '' : '. Words that begin with a dash come after --'}`
  return new WrongUsage(`cork ${command} has no flag ${rawName}${next}`)
}

function refuseOther(rawName: string, { choices }: Flag, value: string): void {
  if (!choices || choices.includes(value)) return
  const near = nearest(value, choices)
  throw new WrongUsage(
    `${rawName} is one of ${choices.join(', ')}, not "${value}"${near ? `; did you mean ${near}?` : ''}`,
  )
}

const seeHelp = (name: string) => `; see "cork ${name} --help"`

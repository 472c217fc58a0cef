import { parseArgs } from 'node:util'
import { matchWord } from '../../kernel/respell.ts'
import { closestWord } from '../../kernel/validate.ts'
import {
  argumentText,
  type Command,
  flagsOf,
  type Lists,
  UsageError,
  usageOf,
  type Values,
} from './command.ts'

export interface ParsedArguments {
  values: Values
  lists: Lists
}

interface Token {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

/** Parses the arguments and flags of a command. Throws if they are wrong. */
export function parseArguments(name: string, command: Command, args: string[]): ParsedArguments {
  const flags = flagsOf(command)
  const options = Object.fromEntries(
    Object.entries(flags).flatMap(([flag, { type, alias }]) =>
      [flag, alias ?? flag].map((spelling) => [spelling, { type }] as const),
    ),
  )
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  const values: Values = {}
  const lists: Record<string, string[]> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const [flag, text] = parseFlag(name, flags, token)
    if (flags[flag]?.repeat) lists[flag] = [...(lists[flag] ?? []), text]
    else values[flag] = text
  }
  if (values.help !== undefined) return { values, lists }
  assignArguments(name, command, words, { values, lists })
  const missing = Object.keys(flags).filter(
    (flag) => flags[flag]?.required && values[flag] === undefined && !lists[flag],
  )
  if (missing.length)
    throw new UsageError(
      `cork ${name} needs ${missing.map((flag) => `--${flag}`).join(', ')}${seeHelp(name)}`,
    )
  return { values, lists }
}

/** Assigns the words to the arguments, in their order. */
function assignArguments(
  name: string,
  command: Command,
  words: string[],
  { values, lists }: ParsedArguments,
): void {
  const args = command.args ?? []
  let next = 0
  for (const arg of args)
    if (arg.variadic) lists[arg.name] = words.slice(next)
    else if (next < words.length) values[arg.name] = words[next++]
  if (next < words.length && !args.at(-1)?.variadic)
    throw tooManyArguments(name, args.length, words[next]!)
  const missing = args.filter((arg) =>
    arg.variadic ? !lists[arg.name]?.length : values[arg.name] === undefined,
  )
  const needed = missing.filter(({ required }) => required)
  if (needed.length)
    throw new UsageError(
      `cork ${name} needs ${needed.map(argumentText).join(' ')}\nUsage: ${usageOf(name, command)}`,
    )
}

const tooManyArguments = (name: string, max: number, word: string) =>
  new UsageError(
    max === 0
      ? `cork ${name} takes no argument "${word}"${seeHelp(name)}`
      : `cork ${name} takes ${max === 1 ? 'one argument' : `${max} arguments`}, but "${word}" is one more. Put text with spaces in quotes${seeHelp(name)}`,
  )

function parseFlag(command: string, known: Command['flags'], token: Token): [string, string] {
  const { rawName, value } = token
  const [name, isNegated] = nameOf(known, token.name)
  const flag = Object.hasOwn(known, name) ? known[name] : undefined
  if (!flag) throw unknownFlag(command, known, token)
  if (flag.type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
    return [name, isNegated ? 'false' : '']
  }
  if (value === undefined || (value.startsWith('--') && !token.inlineValue))
    throw new UsageError(
      `${rawName} needs a value: ${rawName} ${flag.hint ?? 'TEXT'}${value ? `. For a value that begins with --, write ${rawName}=…` : ''}`,
    )
  return [name, flag.choices ? choiceOf(rawName, flag.choices, value) : value]
}

function nameOf(known: Command['flags'], spelling: string): [string, boolean] {
  if (spelling === 'h') return ['help', false]
  if (Object.hasOwn(known, spelling)) return [spelling, false]
  const flagNamed = (spelt: string) =>
    Object.keys(known).find((flag) => flag === spelt || known[flag]!.alias === spelt)
  const positive = spelling.startsWith('no-') ? flagNamed(spelling.slice(3)) : undefined
  if (positive && known[positive]!.negatable) return [positive, true]
  return [flagNamed(spelling) ?? spelling, false]
}

function unknownFlag(
  command: string,
  known: Command['flags'],
  { name, rawName }: Token,
): UsageError {
  const suggestion = name.length > 1 ? closestWord(name, Object.keys(known)) : undefined
  const advice = suggestion
    ? `; did you mean --${suggestion}?`
    : `${seeHelp(command)}${rawName.startsWith('--') ? '' : '. Put -- before words that begin with a dash'}`
  return new UsageError(`cork ${command} has no flag ${rawName}${advice}`)
}

/** The choice, in its exact spelling. */
function choiceOf(rawName: string, choices: readonly string[], value: string): string {
  const choice = matchWord(value, choices)
  if (choice !== undefined) return choice
  const suggestion = closestWord(value, choices)
  throw new UsageError(
    `${rawName} must be one of ${choices.join(', ')}, not "${value}"${suggestion ? `; did you mean ${suggestion}?` : ''}`,
  )
}

const seeHelp = (name: string) => `; see "cork ${name} --help"`

/** Told to somebody who typed something this program does not know. */
export class WrongUsage extends Error {}

/** Why a command could not do what it was told to, in words for whoever typed it. */
export class Failed extends Error {}

export interface Flag {
  type: 'string' | 'boolean'
  /** What stands for the value in the help. */
  hint?: string
  about: string
  required?: true
  /** May be given several times; all of them are in the second argument of `run`. */
  repeat?: true
  /** What the value can be, where that is a short list. */
  choices?: readonly string[]
  /** `--no-<flag>` says the opposite, which is given as the text "false". */
  negatable?: true
  /** Its other spelling, and whether it is a second way to say what another flag says. */
  also?: string
  untold?: true
}

/** A word after the name of the command. */
export interface Arg {
  name: string
  about: string
  required?: true
  /** Takes all the words that are left; only the last one can. */
  many?: true
}

/** What was said, by the names of flags and arguments; a flag without a value is an empty text. */
export type Values = Record<string, string | undefined>
/** What was said of flags that repeat and arguments that take many, in their order. */
export type Lists = Record<string, readonly string[] | undefined>

export interface Command {
  summary: string
  about?: string
  /** One line as somebody would type it, `cork` included. */
  example: string
  args?: readonly Arg[]
  flags: Record<string, Flag>
  /** Answers the exit code: 0 done, 1 refused or failed. Wrong usage is thrown, and becomes 2. */
  run(values: Values, lists: Lists): Promise<number>
}

/** Every command takes these; one that has more to say about one of them declares it itself. */
const COMMON: Command['flags'] = {
  json: { type: 'boolean', about: 'Answer in JSON, for programs' },
  help: { type: 'boolean', about: 'Show this help' },
}

export const flagsOf = ({ flags }: Command): Command['flags'] => ({
  ...flags,
  json: flags.json ?? COMMON.json!,
  help: COMMON.help!,
})

/** `<project_id> <title>`, `[files…]`: how the words after a command are written. */
export const usageOf = (name: string, { args = [] }: Command): string =>
  [`cork ${name}`, ...args.map(placeOf), '[flags]'].join(' ')

export const placeOf = ({ name, required, many }: Arg): string => {
  const word = many ? `${name}…` : name
  return required ? `<${word}>` : `[${word}]`
}

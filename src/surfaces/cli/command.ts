/** The command line is wrong. The exit code is 2. */
export class UsageError extends Error {}

/** A command failed. The message is shown to the person who typed it. */
export class CommandError extends Error {}

export interface Flag {
  type: 'string' | 'boolean'
  /** The placeholder for the value in the help. */
  hint?: string
  about: string
  required?: true
  /** Can be given several times. All values are in the second argument of `run`. */
  repeat?: true
  /** The possible values, if there are few. */
  choices?: readonly string[]
  /** `--no-<flag>` sets the opposite, passed as the text "false". */
  negatable?: true
  /** Another name of the flag, and whether the help leaves the flag out. */
  alias?: string
  hidden?: true
}

/** A positional argument. */
export interface Arg {
  name: string
  about: string
  required?: true
  /** Takes all remaining words. Only the last argument can. */
  variadic?: true
}

/** Values by the names of flags and arguments. A flag without a value has an empty text. */
export type Values = Record<string, string | undefined>
/** The values of repeatable flags and variadic arguments, in their order. */
export type Lists = Record<string, readonly string[] | undefined>

export interface Command {
  summary: string
  about?: string
  /** An example line, including `cork`. */
  example: string
  args?: readonly Arg[]
  flags: Record<string, Flag>
  /** Returns the exit code: 0 for success, 1 for a failure. Wrong usage is thrown and becomes 2. */
  run(values: Values, lists: Lists): Promise<number>
}

/** Flags of every command. A command can declare one of them itself to describe it better. */
const COMMON: Command['flags'] = {
  json: { type: 'boolean', about: 'Print JSON, for programs' },
  help: { type: 'boolean', about: 'Show this help' },
}

export const flagsOf = ({ flags }: Command): Command['flags'] => ({
  ...flags,
  json: flags.json ?? COMMON.json!,
  help: COMMON.help!,
})

/** The usage line, with arguments such as `<project_id> <title>` and `[files…]`. */
export const usageOf = (name: string, { args = [] }: Command): string =>
  [`cork ${name}`, ...args.map(argumentText), '[flags]'].join(' ')

export const argumentText = ({ name, required, variadic }: Arg): string => {
  const word = variadic ? `${name}…` : name
  return required ? `<${word}>` : `[${word}]`
}

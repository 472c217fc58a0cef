import { deprecationText } from '../../kernel/deprecation.ts'
import type { OperationDescription } from '../../kernel/operation.ts'
import { type ApiAnswer, Client, RefusedError } from './client.ts'
import type { Command, Lists, Values } from './command.ts'
import { fetchRows } from './fetch-rows.ts'
import { argsOf, type Field, fieldsOf, flagsOf, inputOf } from './inputs.ts'
import type { CommandIO } from './io.ts'
import { toOperationInput } from './operation-fields.ts'
import { printResult } from './print-result.ts'
import { explainRefusal } from './refusal.ts'
import { type Fields, requestFor } from './request.ts'
import { resolveNames, restSource } from './resolve-names.ts'

/** Describes the flags of lists differently, because the command line follows pages itself. */
const listFlags = (flags: Command['flags']): Command['flags'] => ({
  ...flags,
  ...(flags.limit && { limit: { ...flags.limit, about: 'Number of rows; default 20' } }),
  ...(flags.cursor && { all: { type: 'boolean', about: 'All rows' } }),
  ...(flags.fields && { fields: { ...flags.fields, about: 'Only these fields' } }),
})

/** The name of the command, without placeholders. */
export const nameOf = (op: OperationDescription): string =>
  (op.on.cli?.usage ?? '')
    .split(' ')
    .filter((word) => /^\w/.test(word))
    .join(' ')

/** An operation with a command, and fixed input that is merged into what is typed. */
export interface CliOperation {
  op: OperationDescription
  fixedInput?: Fields
}

/**
 * Builds the command of an operation. It sends its request to the operation's REST route. The fields
 * are computed on first use, because only one of the many commands is run.
 */
export function commandOf(
  { op, fixedInput: always = {} }: CliOperation,
  catalog: readonly OperationDescription[],
  io: CommandIO,
) {
  let computedFields: Field[] | undefined
  const fieldsOfCommand = () => {
    computedFields ??= fieldsOf(op)
    return computedFields
  }
  const name = nameOf(op)
  const isList = () => op.output.list === true
  const command: Command = {
    summary: op.summary,
    ...(op.deprecated && { about: `${deprecationText(op.deprecated)}.` }),
    example: ['cork', name, op.on.cli?.example ?? ''].join(' ').trimEnd(),
    get args() {
      return argsOf(fieldsOfCommand())
    },
    get flags() {
      const flags = flagsOf(fieldsOfCommand())
      return isList() ? listFlags(flags) : flags
    },
    async run(values: Values, lists: Lists) {
      const fields = fieldsOfCommand()
      const client = new Client(io)
      const typedInput = await inputOf(fields, values, lists, io)
      try {
        const named = await resolveNames(op, typedInput, restSource(client, catalog))
        const isFile = values['markdown-file'] !== undefined
        const input = toOperationInput(op, { ...named, ...always }, isFile)
        const answer = isList()
          ? await fetchRows(client, op, input, values.all !== undefined)
          : await client.send(requestFor(op, input))
        await printAnswer(op, answer, input, values, io)
        return 0
      } catch (error) {
        throw error instanceof RefusedError
          ? explainRefusal(error, { catalog, fields, op, typedInput })
          : error
      }
    },
  }
  return command
}

async function printAnswer(
  op: OperationDescription,
  answer: ApiAnswer,
  input: Fields,
  values: Values,
  io: CommandIO,
) {
  for (const { message } of answer.warnings ?? []) io.err(`Warning: ${message}`)
  if (values.json !== undefined) io.out(jsonOf(answer.data, io))
  else await printResult(op, answer, input, io)
}

/** JSON for people on a terminal is indented. Elsewhere it is one line, for programs. */
export function jsonOf(data: unknown, { screen }: Pick<CommandIO, 'screen'>): string {
  if (screen.width === undefined) return JSON.stringify(data)
  // JSON does not escape these control characters, and some terminals execute them.
  return JSON.stringify(data, null, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}

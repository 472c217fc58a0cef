import type { AnyOperation } from '../../kernel/operation.ts'
import { type Answer, Client, Refused } from './client.ts'
import type { Command, Lists, Values } from './command.ts'
import { examples } from './examples.ts'
import { argsOf, fieldsOf, flagsOf, inputOf } from './inputs.ts'
import { rowsOf } from './listing.ts'
import { settled } from './naming.ts'
import type { Outside } from './outside.ts'
import { inWords } from './refusal.ts'
import { askOf, type Fields } from './request.ts'
import { meant } from './saying.ts'
import { shown } from './show.ts'

/** Here pages are followed by themselves, and fields are named as the tables name them. */
const listFlags = (flags: Command['flags']): Command['flags'] => ({
  ...flags,
  ...(flags.limit && { limit: { ...flags.limit, about: 'How many rows; default 20' } }),
  ...(flags.cursor && { all: { type: 'boolean', about: 'Every row there is, however many' } }),
  ...(flags.fields && { fields: { ...flags.fields, about: 'Only these fields of each' } }),
})

/** The words that an operation is called by. */
export const nameOf = (op: AnyOperation): string =>
  (op.on.cli ?? '')
    .split(' ')
    .filter((word) => /^\w/.test(word))
    .join(' ')

/** What a command does, and what it always says besides what is typed. */
export interface Spoken {
  op: AnyOperation
  always?: Fields
}

/** An operation as a command: its request goes over the REST route that the operation names. */
export function commandOf(
  { op, always = {} }: Spoken,
  catalog: readonly AnyOperation[],
  outside: Outside,
) {
  const fields = fieldsOf(op)
  const name = nameOf(op)
  const isList = op.output.list === true
  const command: Command = {
    summary: op.summary,
    example: ['cork', name, examples[name] ?? ''].join(' ').trimEnd(),
    args: argsOf(fields),
    flags: isList ? listFlags(flagsOf(fields)) : flagsOf(fields),
    async run(values: Values, lists: Lists) {
      const client = new Client(outside)
      const typed = await inputOf(fields, values, lists, outside)
      try {
        const said = await settled(op, typed, { client, catalog })
        const isFile = values['markdown-file'] !== undefined
        const input = meant(op, { ...said, ...always }, isFile)
        const answer = isList
          ? await rowsOf(client, op, input, values.all !== undefined)
          : await client.send(askOf(op, input))
        await tell(op, answer, input, values, outside)
        return 0
      } catch (error) {
        throw error instanceof Refused ? inWords(error, { catalog, fields, op, typed }) : error
      }
    },
  }
  return command
}

async function tell(
  op: AnyOperation,
  answer: Answer,
  input: Fields,
  values: Values,
  outside: Outside,
) {
  for (const { message } of answer.warnings ?? []) outside.err(`Warning: ${message}`)
  if (values.json !== undefined) outside.out(jsonOf(answer.data, outside))
  else await shown(op, answer, input, outside)
}

/** On a terminal it is read by a person, elsewhere by a program, a line at a time. */
export function jsonOf(data: unknown, { screen }: Pick<Outside, 'screen'>): string {
  if (screen.width === undefined) return JSON.stringify(data)
  // JSON leaves these as they are, and some terminals obey them.
  return JSON.stringify(data, null, 2).replace(
    /[\u007f-\u009f]/g,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  )
}

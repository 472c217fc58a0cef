import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Arg, type Command, type Lists, type Values, WrongUsage } from './command.ts'
import { flagOf, kindOf, valueIn } from './fields.ts'
import { FILE_FLAG, filesIn, takesFiles } from './files.ts'
import { nameable, supplied } from './naming.ts'
import type { Outside } from './outside.ts'
import { type Fields, inPath } from './request.ts'

/** A task in a path is said once, by its key or its number. */
const ADDRESS = ['task_id', 'ticket_number', 'unique_index']
const TASK: TSchema = { type: 'string', description: 'A key such as WEB-12, or a number' } as never

/** Second ways to say what other flags say: understood, but not told of. */
const UNTOLD = ['search', 'sort_by', 'sort_order', 'filter']

export interface Field {
  name: string
  schema: TSchema
  required: boolean
  /** How a person names it: `<title>` or `--due-date`. */
  said: string
  /** Its flag without the dashes; absent for a word after the command. */
  flag?: string
  /** The longer spelling of the flag. */
  also?: string
  /** Words that name no flag of their own, in a file: `--description-file`. */
  long: boolean
}

/** Every field of an operation, first the words in their order, then what is needed. */
export function fieldsOf(op: AnyOperation): Field[] {
  const schemas = schemasOf(op)
  const cli = op.on.cli ?? ''
  const words = [...cli.matchAll(/[<[](\w+)[>\]]/g)].map(([, name]) => name!)
  const needed = (name: string) =>
    cli.includes(`<${name}>`) || (op.input.required?.includes(name) && !supplied(name))
  const flags = namesOf(Object.keys(schemas).filter((name) => !words.includes(name)))
  const fields = [...words, ...flags.keys()].map((name): Field => {
    if (!schemas[name]) throw new Error(`${op.name} has no field ${name}, which its command names`)
    const flag = flags.has(name) && takesFiles(schemas[name]) ? 'file' : flags.get(name)
    const also = dashed(name)
    return {
      name,
      schema: nameable(name, schemas[name]),
      required: Boolean(needed(name)),
      said: flag ? `--${flag}` : `<${name}>`,
      ...(flag && { flag, ...(also !== flag && { also }) }),
      long: Boolean(flag && kindOf(schemas[name]).long),
    }
  })
  return [...fields.filter((one) => !one.flag), ...sorted(fields.filter((one) => one.flag))]
}

const sorted = (fields: Field[]) => [
  ...fields.filter(({ required }) => required),
  ...fields.filter(({ required }) => !required),
]

function schemasOf(op: AnyOperation): Record<string, TSchema> {
  const properties: Record<string, TSchema> = op.input.properties
  if (!inPath(op).includes('task')) return properties
  const others = Object.entries(properties).filter(([name]) => !ADDRESS.includes(name))
  return { task: TASK, ...Object.fromEntries(others) }
}

/** Some fields are spelled as other programs spell them: `errorCode` is `--error-code`. */
const dashed = (name: string) =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** `project_id` is `--project` and `user_ids` `--users`, unless another field is called so. */
function namesOf(fields: string[]): Map<string, string> {
  const short = (name: string) => name.replace(/_id$/, '').replace(/_ids$/, 's')
  return new Map(
    fields.map((name) => {
      const free = !fields.includes(short(name))
      return [name, dashed(free ? short(name) : name)]
    }),
  )
}

export const argsOf = (fields: readonly Field[]): Arg[] =>
  fields
    .filter(({ flag }) => !flag)
    .map(({ name, schema, required }) => ({
      name,
      about: flagOf(name, schema, true).about,
      ...(required && { required }),
    }))

export function flagsOf(fields: readonly Field[]): Command['flags'] {
  const flags: Command['flags'] = {}
  for (const { name, flag, also, schema, required, long } of fields) {
    if (!flag) continue
    // What may stand in a file instead is missed only when neither is given.
    const { required: _, ...told } = takesFiles(schema) ? FILE_FLAG : flagOf(name, schema, required)
    flags[flag] = {
      ...told,
      ...(required && !long && { required }),
      ...(also && { also }),
      ...(UNTOLD.includes(name) && { untold: true }),
    }
    if (long)
      flags[`${flag}-file`] = {
        type: 'string',
        hint: 'FILE',
        about: `The same from a file; - is standard input${required ? ' (one of both is required)' : ''}`,
      }
  }
  return flags
}

/** What was typed, as the input of the operation. */
export async function inputOf(
  fields: readonly Field[],
  values: Values,
  lists: Lists,
  outside: Pick<Outside, 'input'>,
): Promise<Fields> {
  const input: Fields = {}
  for (const field of fields) {
    const { name, schema, said } = field
    const texts = await textsOf(field, values, lists, outside)
    if (texts) input[name] = (takesFiles(schema) ? filesIn : typed(schema))(said, texts)
    else if (field.required && field.long)
      throw new WrongUsage(`${said} or ${said}-file is needed, and was not given`)
  }
  return input
}

const typed = (schema: TSchema) => (said: string, texts: readonly string[]) =>
  valueIn(said, schema, texts)

async function textsOf(
  { name, flag = name, long, said }: Field,
  values: Values,
  lists: Lists,
  outside: Pick<Outside, 'input'>,
): Promise<readonly string[] | undefined> {
  const file = long ? values[`${flag}-file`] : undefined
  const given = lists[flag] ?? (values[flag] === undefined ? undefined : [values[flag]])
  if (file === undefined) return given
  if (given) throw new WrongUsage(`${said} and ${said}-file are two ways to say one thing`)
  return [file === '-' ? await outside.input() : contentOf(`${said}-file`, file)]
}

function contentOf(said: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new WrongUsage(`${said}: ${file} cannot be read: ${(error as Error).message}`)
  }
}

import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import { type Arg, type Command, type Lists, type Values, WrongUsage } from './command.ts'
import { flagOf, kindOf, valueIn } from './fields.ts'
import { FILE_FLAG, filesIn, takesFiles } from './files.ts'
import { nameable, supplied } from './naming.ts'
import { type Outside, textOf } from './outside.ts'
import type { Fields } from './request.ts'
import { fileFlag, placesOf, saidIn } from './saying.ts'

/** Second ways to say what other flags say: understood, but not told of. */
const UNTOLD = ['search', 'sort_by', 'sort_order', 'filter', 'id']

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
  /** The flag that names a file with a long text: `description-file`. */
  file?: string
}

/** Every field of an operation, first the words in their order, then what is needed. */
export function fieldsOf(op: AnyOperation): Field[] {
  const schemas = saidIn(op)
  const places = placesOf(op)
  const words = places.filter(({ isFlag }) => !isFlag).map(({ field }) => field)
  const needed = (name: string) =>
    places.some(({ field, required }) => required && field === name) ||
    (op.input.required?.includes(name) && !supplied(name))
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
      ...(flag && kindOf(schemas[name]).long && { file: fileFlag(op, name, flag) }),
    }
  })
  return [...fields.filter((one) => !one.flag), ...sorted(fields.filter((one) => one.flag))]
}

const sorted = (fields: Field[]) => [
  ...fields.filter(({ required }) => required),
  ...fields.filter(({ required }) => !required),
]

/** Some fields are spelled as other programs spell them: `errorCode` is `--error-code`. */
const dashed = (name: string) =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * `project_id` is `--project`, `user_ids` `--users` and `parent_page_id` `--parent`, unless another
 * field is called so.
 */
function namesOf(fields: string[]): Map<string, string> {
  const short = (name: string) => name.replace(/(_page)?_id$/, '').replace(/_ids$/, 's')
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
  for (const { name, flag, also, schema, required, file } of fields) {
    if (!flag) continue
    // What may stand in a file instead is missed only when neither is given.
    const { required: _, ...told } = takesFiles(schema) ? FILE_FLAG : flagOf(name, schema, required)
    flags[flag] = {
      ...told,
      ...(required && !file && { required }),
      ...(also && { also }),
      ...(UNTOLD.includes(name) && { untold: true }),
    }
    if (file)
      flags[file] = {
        type: 'string',
        hint: 'FILE',
        ...(file !== `${flag}-file` && { also: `${flag}-file` }),
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
    const { name, schema, said, file } = field
    const texts = await textsOf(field, values, lists, outside)
    if (texts) input[name] = (takesFiles(schema) ? filesIn : typed(schema))(said, texts)
    else if (field.required && file)
      throw new WrongUsage(`${said} or --${file} is needed, and was not given`)
  }
  return input
}

const typed = (schema: TSchema) => (said: string, texts: readonly string[]) =>
  valueIn(said, schema, texts)

async function textsOf(
  { name, flag = name, file, said }: Field,
  values: Values,
  lists: Lists,
  outside: Pick<Outside, 'input'>,
): Promise<readonly string[] | undefined> {
  const path = file === undefined ? undefined : values[file]
  const given = lists[flag] ?? (values[flag] === undefined ? undefined : [values[flag]])
  if (path === undefined) return given
  if (given) throw new WrongUsage(`${said} and --${file} are two ways to say one thing`)
  return [path === '-' ? await outside.input() : contentOf(`--${file}`, path)]
}

function contentOf(said: string, path: string): string {
  try {
    return textOf(readFileSync(path))
  } catch (error) {
    throw new WrongUsage(`${said}: ${path} cannot be read: ${(error as Error).message}`)
  }
}

import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import type { OperationDescription } from '../../kernel/operation.ts'
import { type Arg, type Command, type Lists, UsageError, type Values } from './command.ts'
import { flagOf, kindOf, valueIn } from './fields.ts'
import { FILE_FLAG, filesIn, takesFiles } from './files.ts'
import { type CommandIO, decodeUtf8 } from './io.ts'
import { cliSchemasOf, fileFlag, placeholdersOf } from './operation-fields.ts'
import type { Fields } from './request.ts'
import { acceptNames, hasDefault } from './resolve-names.ts'

/** Alternative names of other fields. They are accepted, but the help does not list them. */
const HIDDEN = ['search', 'sort_by', 'sort_order', 'filter', 'id']

export interface Field {
  name: string
  schema: TSchema
  required: boolean
  /** How messages name it: `<title>` or `--due-date`. */
  label: string
  /** The flag without the dashes; absent for a positional argument. */
  flag?: string
  /** The longer spelling of the flag. */
  alias?: string
  /** The flag that names a file with a long text: `description-file`. */
  file?: string
}

/** All fields of an operation: positional arguments in their order, then required flags first. */
export function fieldsOf(op: OperationDescription): Field[] {
  const schemas = cliSchemasOf(op)
  const places = placeholdersOf(op)
  const words = places.filter(({ isFlag }) => !isFlag).map(({ field }) => field)
  const isNeeded = (name: string) =>
    places.some(({ field, required }) => required && field === name) ||
    (op.input.required?.includes(name) && !hasDefault(name))
  const flags = namesOf(Object.keys(schemas).filter((name) => !words.includes(name)))
  const fields = [...words, ...flags.keys()].map((name): Field => {
    if (!schemas[name]) throw new Error(`${op.name} has no field ${name}, which its command names`)
    const flag = flags.has(name) && takesFiles(schemas[name]) ? 'file' : flags.get(name)
    const alias = toKebabCase(name)
    return {
      name,
      schema: acceptNames(name, schemas[name]),
      required: Boolean(isNeeded(name)),
      label: flag ? `--${flag}` : `<${name}>`,
      ...(flag && { flag, ...(alias !== flag && { alias }) }),
      ...(flag && kindOf(schemas[name]).long && { file: fileFlag(op, name, flag) }),
    }
  })
  return [
    ...fields.filter((field) => !field.flag),
    ...requiredFirst(fields.filter((one) => one.flag)),
  ]
}

const requiredFirst = (fields: Field[]) => [
  ...fields.filter(({ required }) => required),
  ...fields.filter(({ required }) => !required),
]

/** Some field names are in camel case: `errorCode` becomes `--error-code`. */
const toKebabCase = (name: string) =>
  name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * The flags of fields: `project_id` is `--project`, `user_ids` `--users` and `parent_page_id`
 * `--parent`, unless another field has that name.
 */
function namesOf(fields: string[]): Map<string, string> {
  const shorten = (name: string) => name.replace(/(_page)?_id$/, '').replace(/_ids$/, 's')
  return new Map(
    fields.map((name) => {
      const isFree = !fields.includes(shorten(name))
      return [name, toKebabCase(isFree ? shorten(name) : name)]
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
  for (const { name, flag, alias, schema, required, file } of fields) {
    if (!flag) continue
    // A field that can also come from a file is missing only if neither flag is given.
    const { required: _, ...definition } = takesFiles(schema)
      ? FILE_FLAG
      : flagOf(name, schema, required)
    flags[flag] = {
      ...definition,
      ...(required && !file && { required }),
      ...(alias && { alias }),
      ...(HIDDEN.includes(name) && { hidden: true }),
    }
    if (file)
      flags[file] = {
        type: 'string',
        hint: 'FILE',
        ...(file !== `${flag}-file` && { alias: `${flag}-file` }),
        about: `Read it from a file; - is standard input${required ? ' (one of the two is required)' : ''}`,
      }
  }
  return flags
}

/** Converts the typed values to the input of the operation. */
export async function inputOf(
  fields: readonly Field[],
  values: Values,
  lists: Lists,
  io: Pick<CommandIO, 'input'>,
): Promise<Fields> {
  const input: Fields = {}
  for (const field of fields) {
    const { name, schema, label, file } = field
    const texts = await readTexts(field, values, lists, io)
    if (texts) input[name] = (takesFiles(schema) ? filesIn : parserFor(schema))(label, texts)
    else if (field.required && file) throw new UsageError(`${label} or --${file} is required`)
  }
  return input
}

const parserFor = (schema: TSchema) => (label: string, texts: readonly string[]) =>
  valueIn(label, schema, texts)

async function readTexts(
  { name, flag = name, file, label }: Field,
  values: Values,
  lists: Lists,
  io: Pick<CommandIO, 'input'>,
): Promise<readonly string[] | undefined> {
  const path = file === undefined ? undefined : values[file]
  const typedTexts = lists[flag] ?? (values[flag] === undefined ? undefined : [values[flag]])
  if (path === undefined) return typedTexts
  if (typedTexts) throw new UsageError(`Use either ${label} or --${file}, not both`)
  return [path === '-' ? await io.input() : readFile(`--${file}`, path)]
}

function readFile(label: string, path: string): string {
  try {
    return decodeUtf8(readFileSync(path))
  } catch (error) {
    throw new UsageError(`${label}: ${path} cannot be read: ${(error as Error).message}`)
  }
}

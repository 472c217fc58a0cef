import { Kind as SchemaKind, type TObject, type TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { ValueErrorType as Kind, type ValueError } from '@sinclair/typebox/errors'
import { closest, distance } from 'fastest-levenshtein'
import { type Fault, type FieldCode, fault } from './fault.ts'
import { respell } from './respell.ts'

const compiledSchemas = new WeakMap<TSchema, TypeCheck<TSchema>>()

function compiledCheck(schema: TSchema): TypeCheck<TSchema> {
  const before = compiledSchemas.get(schema)
  if (before) return before
  const check = TypeCompiler.Compile(schema)
  compiledSchemas.set(schema, check)
  return check
}

/** Strict: no coercion, unknown fields are errors, and texts must be storable in every database. */
export function validate(schema: TObject, input: unknown): void {
  const check = compiledCheck(schema)
  if (!check.Check(input)) {
    const errors = [...take(check.Errors(input), 20)]
    // An unknown field may be a misspelt required one, so that error takes precedence.
    throw explain(errors.find((e) => e.type === Kind.ObjectAdditionalProperties) ?? errors[0]!)
  }
  checkStorableText(input, '', schema)
}

/** Returns a valid input, in which the words that the schema lists have their exact spelling. */
export function validInput(schema: TObject, input: unknown): unknown {
  const spelled = compiledCheck(schema).Check(input) ? input : respell(schema, input)
  validate(schema, spelled)
  return spelled
}

function* take<T>(items: Iterable<T>, limit: number) {
  for (const item of items) {
    if (limit-- <= 0) return
    yield item
  }
}

/** Not every engine can store NUL, and lone surrogates cannot be encoded as UTF-8. */
function checkStorableText(value: unknown, path: string, schema?: TSchema): void {
  // A value of type `unknown` is checked by its operation.
  if (schema?.[SchemaKind] === 'Unknown') return
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw fault.invalid(
        path,
        'invalid_format',
        `${path} contains a NUL character or an unpaired surrogate`,
      )
  } else if (value && typeof value === 'object')
    for (const key in value)
      checkStorableText(
        (value as never)[key],
        path ? `${path}.${key}` : key,
        schema?.properties?.[key],
      )
}

/** The known word that was probably meant, if any is close enough. */
export function closestWord(word: string, known: readonly string[]): string | undefined {
  if (!known.length || word.length > 60) return undefined
  const best = closest(word, known as string[])
  return distance(word, best) <= Math.max(2, word.length / 3) ? best : undefined
}

function explain(error: ValueError): Fault {
  const branchError = errorOfBranch(error)
  if (branchError) return explain(branchError)
  const field = error.path.slice(1).replaceAll('/', '.')
  const name = field || 'The request'
  const { schema, value, type } = error
  if (type === Kind.ObjectAdditionalProperties) {
    const key = field.split('.').at(-1) ?? ''
    const known = Object.keys(schema.properties ?? {})
    const suggestion = closestWord(key, known)
    const hint = suggestion
      ? `Did you mean ${suggestion}?`
      : `Known fields: ${known.join(', ') || 'none'}`
    return fault.invalid(field, 'unknown_field', `${field} is not a known field`, undefined, hint)
  }
  const [code, rule] = reason(error)
  return fault.invalid(field, code, `${name} ${rule}`, value, descriptionOf(schema) ?? HINTS[type])
}

const HINTS: Partial<Record<Kind, string>> = {
  [Kind.StringMinLength]: 'Enter at least one letter, digit or symbol',
}

/** The description of a field, or of the first branch of its union that has one. */
const descriptionOf = ({ description, anyOf = [] }: TSchema): string | undefined =>
  description ?? anyOf.map(descriptionOf).find((about: string | undefined) => about)

/** The error of the union branch that the value was probably meant for. */
function errorOfBranch(error: ValueError): ValueError | undefined {
  if (error.type !== Kind.Union) return undefined
  const variants: TSchema[] = error.schema.anyOf
  const kind = Array.isArray(error.value) ? 'array' : typeof error.value
  const sameType = variants.findIndex(
    (v) =>
      v.const === undefined && (v.type === kind || (v.type === 'integer' && kind === 'number')),
  )
  const intended = sameType < 0 ? variants.findIndex((v) => v.anyOf) : sameType
  return intended < 0 ? undefined : error.errors[intended]?.First()
}

function reason({ type, schema, value }: ValueError): [FieldCode, string] {
  switch (type) {
    case Kind.ObjectRequiredProperty:
      return ['required', 'is required']
    case Kind.StringMinLength:
      return ['required', 'must not be empty']
    case Kind.ArrayMinItems:
      return [
        'required',
        schema.minItems > 1 ? `must have at least ${schema.minItems} entries` : 'must not be empty',
      ]
    case Kind.StringMaxLength:
      return ['too_long', `must have at most ${schema.maxLength} characters`]
    case Kind.ArrayMaxItems:
      return ['too_long', `must have at most ${schema.maxItems} entries`]
    case Kind.StringPattern:
    case Kind.StringFormat:
    case Kind.ArrayUniqueItems:
      return ['invalid_format', 'has an invalid format']
    case Kind.IntegerMinimum:
    case Kind.IntegerMaximum:
    case Kind.NumberMinimum:
    case Kind.NumberMaximum:
      return ['out_of_range', `must be ${range(schema)}`]
    default:
      return options(schema, value)
  }
}

const range = ({ minimum = '…', maximum = '…' }: TSchema) =>
  maximum === '…' ? `at least ${minimum}` : `between ${minimum} and ${maximum}`

function options(schema: TSchema, value: unknown): [FieldCode, string] {
  const known = [schema, ...(schema.anyOf ?? [])].filter((v) => v.const !== undefined)
  if (known.some((v) => typeof v.const === typeof value))
    return ['out_of_range', `must be one of ${known.map((v) => v.const).join(', ')}`]
  // A null in place of a required text is reported like an empty text.
  if (value === null && schema.type === 'string') return ['required', 'must not be empty']
  const types = [schema, ...(schema.anyOf ?? [])].map((v) => v.type ?? typeof v.const)
  return [
    'invalid_type',
    `must be ${[...new Set(types)].filter((x) => x !== 'undefined').join(' or ')}`,
  ]
}

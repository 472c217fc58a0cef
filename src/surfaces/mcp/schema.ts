import type { TSchema } from '@sinclair/typebox'
import type { Scope } from '../../kernel/caller.ts'
import type { AnyOperation } from '../../kernel/operation.ts'

type Fields = Record<string, TSchema>
type NamedAction = readonly [action: string, op: AnyOperation]

/** Arguments of every tool, next to `action`. */
const TOP_LEVEL = ['limit', 'offset']
/** A field of every list, described in the instructions only. */
const FIELDS = 'fields'

/**
 * Fields of every list. The instructions describe `fields`; error messages name the alternatives.
 */
const PAGING = ['cursor', 'fields', 'query', 'search', 'sort', 'sort_by', 'sort_order']
const PAGING_SHOWN = ['cursor', 'query', 'sort']
/** The paging fields that identify a list. Lists with a fixed order have no `sort`. */
const PAGING_REQUIRED = ['cursor', 'fields', 'query', 'search', 'sort_order']

/** The ways to address a task or a page, described once per tool to keep descriptions short. */
const addressing = (word: string, prefix: string, label = word) => {
  const fields = ['ticket_number', 'task_id', 'unique_index', 'project_id'].map((f) => prefix + f)
  const [key, id, number, board] = fields
  return { fields, label, explanation: `${word} = ${key}, ${id} or ${number} with ${board}` }
}
const ADDRESSING = [
  addressing('task', '', 'task*'),
  addressing('source', 'source_'),
  addressing('target', 'target_'),
  { fields: ['page_id', 'id'], label: 'page*', explanation: 'page = page_id or id' },
]

/** Whether a token has a scope. */
export type HasScope = (scope: Scope) => boolean

/** A line for the tool, then a line per action. Actions with the same fields share a line. */
export function describe(
  summary: string,
  actions: readonly NamedAction[],
  hasScope: HasScope,
): string {
  const lines = new Map<string, { names: string[]; fields: string[] }>()
  for (const [action, op] of actions) {
    const fields = fieldList(op, hasScope)
    const line = lines.get(fields.join()) ?? { names: [], fields }
    lines.set(fields.join(), { ...line, names: [...line.names, action] })
  }
  const { rows, sharedFields } = shareFields([...lines.values()])
  return [
    summary,
    ...rows.map(({ names, fields }) => `${names.join(', ')}: ${fields.join(', ') || '-'}`),
    ...(sharedFields.length ? [`${MORE} = ${sharedFields.join(', ')}`] : []),
    ...ADDRESSING.filter(({ fields }) => actions.some(([, op]) => takesAll(op, fields))).map(
      ({ explanation }) => explanation,
    ),
  ].join('\n')
}

interface Line {
  names: string[]
  fields: string[]
}

const MORE = 'more'
/** Below this, repeating the fields is easier to read than a shared name. */
const MIN_SHARED = { fields: 3, characters: 25 }

/**
 * Moves the most fields that two actions share, such as create and update, to a line of their own.
 */
function shareFields(lines: readonly Line[]): { rows: readonly Line[]; sharedFields: string[] } {
  let best: string[] = []
  for (const [at, line] of lines.entries())
    for (const other of lines.slice(at + 1)) {
      const common = line.fields.filter(
        (field) => other.fields.includes(field) && !PAGING_SHOWN.includes(field),
      )
      const length = common.join(', ').length
      if (common.length < MIN_SHARED.fields || length < MIN_SHARED.characters) continue
      if (length > best.join(', ').length) best = common
    }
  const hasShared = ({ fields }: Line) =>
    best.length > 0 && best.every((field) => fields.includes(field))
  const shorten = (line: Line) => {
    const at = line.fields.indexOf(best[0]!)
    const rest = line.fields.filter((field) => !best.includes(field))
    return { ...line, fields: rest.toSpliced(Math.min(at, rest.length), 0, MORE) }
  }
  const rows = lines.map((line) => (hasShared(line) ? shorten(line) : line))
  return { rows, sharedFields: best }
}

function fieldList(op: AnyOperation, hasScope: HasScope): string[] {
  const named = ADDRESSING.filter(({ fields }) => takesAll(op, fields))
  const paging = PAGING_REQUIRED.every((name) => op.input.properties[name])
  const omitted = [
    ...TOP_LEVEL,
    FIELDS,
    ...named.flatMap(({ fields }) => fields),
    ...(paging ? PAGING : []),
  ]
  const ownFields = Object.entries(op.input.properties as Fields)
    .filter(([name, { needs }]) => !omitted.includes(name) && (!needs || hasScope(needs)))
    .map(([name, schema]) => name + requiredMark(op.input, name) + nestedFields(schema))
  const addresses = named.map(({ label }) => label)
  const paged = PAGING_SHOWN.filter((name) => paging && op.input.properties[name])
  const pages = paged.map((name) => name + requiredMark(op.input, name))
  return [...addresses, ...ownFields, ...pages]
}

/** Whether the operation takes all of these fields and requires none. Required ones are listed. */
const takesAll = ({ input }: AnyOperation, names: readonly string[]): boolean =>
  names.every((name) => input.properties[name] && !input.required?.includes(name))

const requiredMark = (schema: TSchema, name: string) => (schema.required?.includes(name) ? '*' : '')

/** The fields of the objects in a list, as `{title*,color}`. */
function nestedFields(schema: TSchema): string {
  const object = variants(schema)
    .filter(({ type }) => type === 'array')
    .flatMap(({ items }) => variants(items))
    .find(({ type, properties }) => type === 'object' && properties)
  if (!object) return ''
  return `{${Object.keys(object.properties).map((name) => name + requiredMark(object, name))}}`
}

const variants = (schema: TSchema): TSchema[] => schema.anyOf?.flatMap(variants) ?? [schema]

/**
 * A flat object, because clients drop tools whose schema has alternatives. The description lists
 * the fields of `input` by action. A typed union would repeat them and double the tokens of the
 * list.
 */
export const inputSchema = (actions: readonly NamedAction[]) => ({
  type: 'object' as const,
  properties: {
    action: { enum: actions.map(([action]) => action) },
    input: { type: 'object' },
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    response_format: { enum: ['concise', 'detailed'] },
  },
  required: ['action'],
})

import type { TSchema } from '@sinclair/typebox'
import type { Scope } from '../../kernel/caller.ts'
import type { AnyOperation } from '../../kernel/operation.ts'

type Fields = Record<string, TSchema>
type Named = readonly [action: string, op: AnyOperation]

/** They stand beside `action`, on every tool. */
const TOP_LEVEL = ['limit', 'offset']
/** Of every list, as the instructions tell. */
const FIELDS = 'fields'

/** What every list takes; the instructions tell of `fields`, the refusals of the second ways. */
const PAGING = ['cursor', 'fields', 'query', 'search', 'sort', 'sort_by', 'sort_order']
const PAGING_SHOWN = ['cursor', 'query', 'sort']
/** A list whose order cannot be chosen has no `sort`. */
const PAGED = ['cursor', 'fields', 'query', 'search', 'sort_order']

/** The ways to name a task or a page are told once per tool, for its reader pays for every word. */
const addressed = (word: string, before: string, shown = word) => {
  const fields = ['ticket_number', 'task_id', 'unique_index', 'project_id'].map((f) => before + f)
  const [key, id, number, board] = fields
  return { fields, shown, means: `${word} = ${key}, ${id} or ${number} with ${board}` }
}
const WAYS = [
  addressed('task', '', 'task*'),
  addressed('source', 'source_'),
  addressed('target', 'target_'),
  { fields: ['page_id', 'id'], shown: 'page*', means: 'page = page_id or id' },
]

/** Whether a token has a scope. */
export type May = (scope: Scope) => boolean

/** One line for the tool, then one for each action; actions with the same fields share theirs. */
export function describe(summary: string, actions: readonly Named[], may: May): string {
  const lines = new Map<string, { names: string[]; fields: string[] }>()
  for (const [action, op] of actions) {
    const fields = signature(op, may)
    const line = lines.get(fields.join()) ?? { names: [], fields }
    lines.set(fields.join(), { ...line, names: [...line.names, action] })
  }
  const { told, more } = shared([...lines.values()])
  return [
    summary,
    ...told.map(({ names, fields }) => `${names.join(', ')}: ${fields.join(', ') || '-'}`),
    ...(more.length ? [`${MORE} = ${more.join(', ')}`] : []),
    ...WAYS.filter(({ fields }) => actions.some(([, op]) => takesAll(op, fields))).map(
      ({ means }) => means,
    ),
  ].join('\n')
}

interface Line {
  names: string[]
  fields: string[]
}

const MORE = 'more'
/** Fewer words are said again, which is easier to read. */
const LEAST_SHARED = { fields: 3, letters: 25 }

/** What two actions both take, often to create and to update, is told once under a word. */
function shared(lines: readonly Line[]): { told: readonly Line[]; more: string[] } {
  let best: string[] = []
  for (const [at, one] of lines.entries())
    for (const other of lines.slice(at + 1)) {
      const both = one.fields.filter(
        (field) => other.fields.includes(field) && !PAGING_SHOWN.includes(field),
      )
      const letters = both.join(', ').length
      if (both.length < LEAST_SHARED.fields || letters < LEAST_SHARED.letters) continue
      if (letters > best.join(', ').length) best = both
    }
  const has = ({ fields }: Line) => best.length > 0 && best.every((one) => fields.includes(one))
  const said = (line: Line) => {
    const at = line.fields.indexOf(best[0]!)
    const rest = line.fields.filter((field) => !best.includes(field))
    return { ...line, fields: rest.toSpliced(Math.min(at, rest.length), 0, MORE) }
  }
  return { told: lines.map((line) => (has(line) ? said(line) : line)), more: best }
}

function signature(op: AnyOperation, may: May): string[] {
  const named = WAYS.filter(({ fields }) => takesAll(op, fields))
  const paging = PAGED.every((name) => op.input.properties[name])
  const told = [
    ...TOP_LEVEL,
    FIELDS,
    ...named.flatMap(({ fields }) => fields),
    ...(paging ? PAGING : []),
  ]
  const own = Object.entries(op.input.properties as Fields)
    .filter(([name, { needs }]) => !told.includes(name) && (!needs || may(needs)))
    .map(([name, schema]) => name + star(op.input, name) + inner(schema))
  const ways = named.map(({ shown }) => shown)
  const shown = PAGING_SHOWN.filter((name) => paging && op.input.properties[name])
  const pages = shown.map((name) => name + star(op.input, name))
  return [...ways, ...own, ...pages]
}

/** All of them, and each optional: what must be given is named for itself. */
const takesAll = ({ input }: AnyOperation, names: readonly string[]): boolean =>
  names.every((name) => input.properties[name] && !input.required?.includes(name))

const star = (schema: TSchema, name: string) => (schema.required?.includes(name) ? '*' : '')

/** The fields of the objects in a list, as `{title*,color}`. */
function inner(schema: TSchema): string {
  const object = variants(schema)
    .filter(({ type }) => type === 'array')
    .flatMap(({ items }) => variants(items))
    .find(({ type, properties }) => type === 'object' && properties)
  if (!object) return ''
  return `{${Object.keys(object.properties).map((name) => name + star(object, name))}}`
}

const variants = (schema: TSchema): TSchema[] => schema.anyOf?.flatMap(variants) ?? [schema]

/**
 * One flat object, for clients drop tools whose schema has alternatives. The fields of `input`
 * stand in the description, action by action: a typed union of them would say them all again and
 * double what every conversation pays for the list.
 */
export const inputSchema = (actions: readonly Named[]) => ({
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

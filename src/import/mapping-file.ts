import { type TObject, type TSchema, Type as t } from '@sinclair/typebox'
import { Errors } from '@sinclair/typebox/errors'
import { Check } from '@sinclair/typebox/value'
import type { Preview } from './api.ts'
import { foldName } from './fold.ts'
import {
  BoardMapping,
  ColumnMapping,
  closed,
  defaultMapping,
  FieldMapping,
  type Mapping,
  PersonMapping,
  PriorityMapping,
} from './mapping.ts'
import type { Plan } from './plan-types.ts'
import { ImportProblem, type Location } from './problem.ts'
import { COLUMN_ROLES } from './sources/csv/roles.ts'
import { parseJson } from './text.ts'

/** An entry of a file needs only what names it, and what differs from the proposal. */
const entries = (schema: TObject, key: string, properties: Record<string, TSchema> = {}) =>
  t.Optional(
    t.Array(
      t.Object(
        { ...t.Partial(schema).properties, ...properties, [key]: schema.properties[key]! },
        closed,
      ),
    ),
  )

const MappingFile = t.Object(
  {
    source: t.Optional(t.String()),
    columns: t.Optional(t.Record(t.String(), t.Union(COLUMN_ROLES.map((role) => t.Literal(role))))),
    boards: entries(BoardMapping, 'id', {
      columns: entries(ColumnMapping, 'from'),
      fields: entries(FieldMapping, 'from'),
    }),
    people: entries(PersonMapping, 'id'),
    priorities: entries(PriorityMapping, 'from'),
  },
  closed,
)

export interface ParsedMapping {
  mapping: Mapping
  /** The entries that are not in the imported files, such as `boards[0].columns[2] "Doing"`. */
  unused: string[]
}

/**
 * The mapping of the last import if it still fits the files, else the default one: columns and
 * fields are recognized by their new names, so the next import needs the same ones.
 */
export function proposeMapping(plan: Plan, preview: Preview): Mapping {
  const { mapping } = preview
  const proposal = defaultMapping(plan, preview)
  if (mapping === null) return proposal
  return unlessUnfit(() => parseMapping(mapping, plan, proposal).mapping, proposal)
}

/** A proposal with what somebody changed in an earlier one, if that still fits the files. */
export const keepEdits = (edits: Mapping, plan: Plan, proposal: Mapping): Mapping =>
  unlessUnfit(() => parseMapping(JSON.stringify(edits), plan, proposal).mapping, proposal)

/** What the columns of CSV files were in the last import, as far as somebody said it. */
export const earlierColumns = ({ mapping }: Preview): Mapping['columns'] =>
  mapping === null ? undefined : unlessUnfit(() => parseColumns(mapping), undefined)

/** What the columns of CSV files are, which must be known before the files are read. */
export function parseColumns(text: string, path = 'mapping.json'): Mapping['columns'] {
  const file = parseJson(text, path) as Mapping
  checkForm(file, path)
  return file.columns
}

function unlessUnfit<T>(parse: () => T, otherwise: T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ImportProblem) return otherwise
    throw error
  }
}

/** Parses a mapping that somebody saved or edited. What is missing in it stays as proposed. */
export function parseMapping(
  text: string,
  plan: Plan,
  proposal: Mapping,
  path = 'mapping.json',
): ParsedMapping {
  const file = parseJson(text, path) as Mapping
  checkForm(file, path)
  if (file.source !== undefined && file.source !== plan.source.name)
    throw new ImportProblem(
      `The mapping is for "${file.source}", but the files are from ${plan.source.title}`,
      `Use a mapping for "${plan.source.name}": --write-mapping makes one`,
      { file: path, field: 'source' },
    )
  const unused: string[] = []
  const mapping: Mapping = {
    source: proposal.source,
    ...(proposal.columns && { columns: proposal.columns }),
    boards: merge(proposal.boards, file.boards, 'id', 'boards', unused),
    people: merge(proposal.people, file.people, 'id', 'people', unused),
    priorities: merge(proposal.priorities, file.priorities, 'from', 'priorities', unused),
  }
  for (const board of mapping.boards) {
    const before = proposal.boards.find(({ id }) => id === board.id)!
    const at = (file.boards ?? []).findIndex(({ id }) => id === board.id)
    const path = `boards[${at}]`
    board.columns = merge(before.columns, board.columns, 'from', `${path}.columns`, unused)
    board.fields = merge(before.fields, board.fields, 'from', `${path}.fields`, unused)
  }
  checkMapping(mapping, plan, { file: path })
  return { mapping, unused }
}

function checkForm(file: unknown, path: string): void {
  if (Check(MappingFile, file)) return
  const { path: pointer, message, value } = Errors(MappingFile, file).First()!
  const field = pointer
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  const given = value === undefined ? '' : `, not ${JSON.stringify(value)?.slice(0, 80)}`
  throw new ImportProblem(
    `The mapping is not valid: ${message.toLowerCase()}${given}`,
    'Correct it there; --write-mapping FILE shows the form',
    { file: path, ...(field && { field }) },
  )
}

function merge<T extends object, K extends keyof T>(
  proposed: readonly T[],
  given: readonly T[] | undefined,
  key: K,
  path: string,
  unused: string[],
): T[] {
  const byKey = new Map((given ?? []).map((entry) => [entry[key], entry]))
  const known = new Set(proposed.map((entry) => entry[key]))
  for (const [at, entry] of (given ?? []).entries())
    if (!known.has(entry[key])) unused.push(`${path}[${at}] ${JSON.stringify(entry[key])}`)
  return proposed.map((entry) => ({ ...entry, ...byKey.get(entry[key]) }))
}

/** Throws if a field would lose values, or two fields would have one name. */
export function checkMapping(mapping: Mapping, plan: Plan, location: Location = {}): void {
  for (const [at, board] of mapping.boards.entries()) {
    const planned = new Map(
      plan.boards.find(({ id }) => id === board.id)!.fields.map((field) => [field.name, field]),
    )
    const names = new Set<string>()
    for (const { from, name, type, skip } of board.skip ? [] : board.fields) {
      if (skip) continue
      const where = { ...location, field: `boards[${at}].fields "${from}"` }
      const { fits } = planned.get(from)!
      if (!fits.includes(type))
        throw new ImportProblem(
          `The field "${from}" of "${board.title}" has values that do not fit the type ${type}`,
          `Use one of: ${fits.join(', ')}`,
          where,
        )
      if (names.has(foldName(name)))
        throw new ImportProblem(
          `Two fields of "${board.title}" would have the name "${name}"`,
          'Give one of them another name, or leave it out with "skip": true',
          where,
        )
      names.add(foldName(name))
    }
  }
}

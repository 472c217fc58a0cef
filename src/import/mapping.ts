import { type Static, Type as t } from '@sinclair/typebox'
import type { ImportApi, Preview } from './api.ts'
import type { BoardPlan, Plan } from './plan-types.ts'
import { ImportedBoard, ImportedColumn, ImportedField } from './record.ts'

export const closed = { additionalProperties: false }
const Skip = t.Optional(t.Boolean())

export const ColumnMapping = t.Object(
  {
    from: t.String(),
    /** Columns with the same title are merged. */
    title: ImportedColumn.properties.title,
    done: ImportedColumn.properties.done,
  },
  closed,
)
export const FieldMapping = t.Object(
  {
    from: t.String(),
    name: ImportedField.properties.name,
    type: ImportedField.properties.type,
    skip: Skip,
  },
  closed,
)
export const BoardMapping = t.Object(
  {
    id: t.String(),
    title: ImportedBoard.properties.title,
    key: ImportedBoard.properties.key,
    /** The existing board to which the tasks come. */
    project_id: t.Optional(t.Integer({ minimum: 1 })),
    skip: Skip,
    columns: t.Array(ColumnMapping),
    fields: t.Array(FieldMapping),
  },
  closed,
)
export const PersonMapping = t.Object(
  {
    id: t.String(),
    /** Only for those who read the file. */
    name: t.Optional(t.String()),
    user_id: t.Union([t.Integer({ minimum: 1 }), t.Literal('placeholder')]),
  },
  closed,
)
export const PriorityMapping = t.Object(
  {
    from: t.Union([t.String(), t.Integer()]),
    /** From 1 urgent to 4 low, or 0 none. */
    priority: t.Integer({ minimum: 0, maximum: 4 }),
  },
  closed,
)

export type BoardMapping = Static<typeof BoardMapping>

/** What becomes of the boards, columns, fields, people and priorities of a source: plain JSON. */
export interface Mapping {
  /** The name of the source. */
  source: string
  /** What columns of CSV files are. The files were read with it. */
  columns?: Readonly<Record<string, string>>
  boards: BoardMapping[]
  people: Static<typeof PersonMapping>[]
  priorities: Static<typeof PriorityMapping>[]
}

/** The most people and boards of one question to the server. */
const PREVIEW = { people: 5000, boards: 1000 }

/** Asks the server who the people of a plan are there, and what it has imported before. */
export async function previewPlan(
  api: Pick<ImportApi, 'preview'>,
  { source, origin, people, boards }: Plan,
  team_id: number,
): Promise<Preview> {
  const usedPeople = people.filter(({ uses }) => uses).map(({ uses: _, ...person }) => person)
  const namedBoards = boards.map(({ id, title, key }) => ({
    ...{ id, title, ...(key !== undefined && { key }) },
  }))
  const preview: Preview = { import: null, mapping: null, people: [], boards: [] }
  const [personParts, boardParts] = [
    partsOf(usedPeople, PREVIEW.people),
    partsOf(namedBoards, PREVIEW.boards),
  ]
  for (let at = 0; at < Math.max(1, personParts.length, boardParts.length); at++) {
    const part = await api.preview({
      ...{ team_id, source: source.name, origin },
      ...{ people: personParts[at] ?? [], boards: boardParts[at] ?? [] },
    })
    preview.import = part.import
    preview.mapping = part.mapping
    preview.people.push(...part.people)
    preview.boards.push(...part.boards)
  }
  return preview
}

const partsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )

/** Everything is imported; people are the members that the server found. */
export function defaultMapping(plan: Plan, preview: Preview): Mapping {
  const boards = new Map(preview.boards.map((board) => [board.id, board]))
  const people = new Map(preview.people.map((person) => [person.id, person.user_id]))
  return {
    source: plan.source.name,
    ...(plan.source.columns && { columns: plan.source.columns }),
    boards: plan.boards.map((board) => {
      const { key, project_id } = boards.get(board.id) ?? { key: board.key, project_id: null }
      return {
        ...{ id: board.id, title: board.title, ...(key !== undefined && { key }) },
        ...(project_id !== null && { project_id }),
        ...defaultParts(board),
      }
    }),
    people: plan.people
      .filter(({ uses }) => uses)
      .map(({ id, name }) => ({ id, name, user_id: people.get(id) ?? 'placeholder' })),
    priorities: plan.priorities.map(({ from, priority }) => ({ from, priority })),
  }
}

const defaultParts = ({ columns, fields }: BoardPlan) => ({
  columns: columns.map(({ title, done }) => ({
    ...{ from: title, title, ...(done !== undefined && { done }) },
  })),
  fields: fields.map(({ name, type, fits }) => ({
    ...{ from: name, name, type: fits.includes(type) ? type : ('text' as const) },
  })),
})

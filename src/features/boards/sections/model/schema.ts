import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'
import { SECTION_ROLES } from './rules.ts'

const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])

/** The most sections of a board: as many as one page of a list. */
export const MAX_COLUMNS = 50

export const SectionId = Id('Id of a column')
export const SectionTitle = t.String({
  minLength: 1,
  maxLength: 500,
  description: 'Title of the column, unique on its board',
})
export const Role = t.Union(
  SECTION_ROLES.map((role) => t.Literal(role)),
  { description: 'What the column is for; default: inferred from the title, then the position' },
)
export const IsDone = t.Union([t.Boolean(), t.Null()], {
  description: 'Whether its tasks count as completed; null: inferred from the title',
})
export const Hidden = t.Boolean({ description: 'Hidden on the board by default' })

export const WipLimit = orNull(
  t.Integer({
    minimum: 1,
    maximum: 1000,
    description: 'WIP limit: a warning, never an error; null: none',
  }),
)

export const SectionColor = orNull(
  t.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    maxLength: 7,
    description: '#rrggbb, shown at the title of the column; null: none',
  }),
)

export const SectionRow = t.Object(
  {
    section_id: SectionId,
    project_id: ProjectId,
    title: t.String(),
    role: Role,
    is_done: orNull(t.Boolean({ description: 'The value that was set; null: inferred' })),
    done: t.Boolean({ description: 'The effective value, set or inferred' }),
    hidden: t.Boolean(),
    auto_assign: orNull(Actor),
    wip_limit: WipLimit,
    color: SectionColor,
    position: t.Integer({ description: 'From 0, including hidden columns' }),
    created_at: Timestamp,
  },
  {
    columns: ['section_id', 'title', 'role', 'done'],
    omits: {
      project_id: 'the call names it',
      color: 'only screens show it',
      created_at: 'columns are known by their place',
    },
  },
)
export type SectionRow = Static<typeof SectionRow>

export const SectionReceipt = t.Object({
  ...t.Omit(SectionRow, ['created_at']).properties,
  changed: t.Array(t.String()),
  url: t.String(),
})
export type SectionReceipt = Static<typeof SectionReceipt>

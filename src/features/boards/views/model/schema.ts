import { type Static, type TSchema, Type as t } from '@sinclair/typebox'
import { Actor, Id, Timestamp } from '../../../identity/people/model/index.ts'
import {
  MAX_MODES,
  OPS,
  SORTING_MODES,
  type Sorting as Sorted,
} from '../../../search/filters/model/index.ts'
import { TaskRow } from '../../../tasks/records/model/index.ts'
import { ProjectId } from '../../projects/model/index.ts'
import { SectionId } from '../../sections/model/index.ts'

const closed = { additionalProperties: false }
const orNull = <T extends TSchema>(type: T) => t.Union([type, t.Null()])
const oneOf = <const W extends readonly string[]>(words: W, description: string) =>
  t.Union(
    words.map((word) => t.Literal(word as W[number])),
    { description },
  )

export const ViewId = t.String({
  minLength: 1,
  maxLength: 50,
  description: 'UUID of a saved view',
})
export const Title = t.String({ minLength: 1, maxLength: 200, description: 'Title of a view' })
export const Visibility = oneOf(
  ['Public', 'Private'],
  'Public: everybody on the board; Private: you',
)
export const Match = oneOf(
  ['ALL', 'ANY'],
  'Match all or any of filter groups, label_names and assignee_ids',
)
const SubtaskSetting = oneOf(
  ['None', 'Parent', 'Flattened', 'Card', 'Flattened_Card'],
  'Subtasks hidden, counted, as rows, on their parents, or both',
)
export type Visibility = Static<typeof Visibility>
export type Match = Static<typeof Match>
export type SubtaskSetting = Static<typeof SubtaskSetting>

const Scalar = t.Union([t.String({ maxLength: 500 }), t.Number(), t.Boolean()])
export const Rule = t.Object(
  {
    field: t.String({
      minLength: 1,
      maxLength: 200,
      description:
        'For example label, priority, due_date, or the name or field_id of a custom field',
    }),
    op: oneOf(OPS, 'Comparison operator'),
    value: t.Optional(
      t.Union([...Scalar.anyOf, t.Null(), t.Array(Scalar, { minItems: 1, maxItems: 50 })], {
        description: 'A list for any_of and none_of, days for within_days',
      }),
    ),
  },
  closed,
)
const Group = t.Object(
  {
    match: t.Optional({ ...Match, description: 'Match all or any of the rules; default ALL' }),
    rules: t.Array(Rule, { minItems: 1, maxItems: 20 }),
  },
  closed,
)
export const BoardFilters = t.Object({ groups: t.Array(Group, { maxItems: 10 }) }, closed)
export type BoardFilters = Static<typeof BoardFilters>

const FieldName = (description: string) => t.String({ minLength: 1, maxLength: 60, description })

/** How a table, timeline or calendar shows the view. The app defines the names of fields and groups. */
export const Display = t.Object(
  {
    columns: t.Optional(
      t.Array(
        t.Object(
          {
            field: FieldName('For example title, due_date, or cf: followed by a field_id'),
            width: t.Optional(t.Integer({ minimum: 40, maximum: 1200, description: 'In pixels' })),
          },
          closed,
        ),
        { maxItems: 80, description: 'Columns of the table, in order' },
      ),
    ),
    sorting: t.Optional(
      t.Array(
        t.Object(
          {
            mode: FieldName('A sorting mode, also one of those that only the table has'),
            order: oneOf(['Ascending', 'Descending'], 'Direction'),
          },
          closed,
        ),
        { maxItems: MAX_MODES },
      ),
    ),
    color: t.Optional(
      oneOf(
        ['column', 'label', 'assignee', 'priority'],
        'What the colors of a timeline or calendar stand for',
      ),
    ),
    group: t.Optional(FieldName('The field by which rows are grouped')),
    subgroup: t.Optional(FieldName('The field that divides each group')),
    totals: t.Optional(
      t.Array(
        t.Object(
          {
            field: FieldName('A column of the table'),
            kind: oneOf(['none', 'sum', 'average', 'earliest', 'latest'], 'What is shown below it'),
          },
          closed,
        ),
        { maxItems: 80 },
      ),
    ),
    collapsed: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 150 }), {
        maxItems: 200,
        description: 'Keys of the groups that are closed',
      }),
    ),
  },
  closed,
)
export type Display = Static<typeof Display>

const SortingMode = oneOf(SORTING_MODES, 'Primary sort field')
const Direction = oneOf(['Ascending', 'Descending'], 'Default Ascending')
const Sorting = t.Object(
  {
    mode: t.String({
      minLength: 1,
      maxLength: 210,
      description: 'A sorting mode, or cf: followed by the name or field_id of a custom field',
    }),
    order: t.Optional(Direction),
  },
  closed,
)

/** The manual order of the board. */
export const MANUAL: Sorted = { mode: 'Manual', order: 'Ascending' }

export const draft = {
  visibility: t.Optional({ ...Visibility, description: 'Default Public' }),
  visible_section_ids: t.Optional(
    orNull(
      t.Array(SectionId, {
        minItems: 1,
        maxItems: 100,
        description: 'Columns to show; null: all except hidden ones',
      }),
    ),
  ),
  board_filters: t.Optional({
    ...orNull(BoardFilters),
    description:
      'For example {"groups":[{"match":"ANY","rules":[{"field":"label","op":"is","value":"bug"}]}]}',
  }),
  label_names: t.Optional(
    t.Array(t.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description: 'Tasks with any of these labels',
    }),
  ),
  assignee_ids: t.Optional(
    t.Array(t.Union([Id('Id of a person'), t.String({ minLength: 1, maxLength: 200 })]), {
      maxItems: 50,
      description: 'Tasks of any of these: user ids, agent UUIDs, me, none',
    }),
  ),
  match: t.Optional(Match),
  set_as_default: t.Optional(t.Boolean({ description: 'Open the board with this view' })),
  sorting_mode: t.Optional(SortingMode),
  sorting_order: t.Optional(Direction),
  sorting_stack: t.Optional(
    t.Array(Sorting, { maxItems: MAX_MODES, description: 'All modes, including the first' }),
  ),
  subtask_setting: t.Optional(SubtaskSetting),
}
export const Draft = t.Object({ title: Title, ...draft })
export type Draft = Static<typeof Draft>
export const revision = { title: t.Optional(Title), ...draft }
export const Revision = t.Object(revision)
export type Revision = Static<typeof Revision>

export const StoredSorting = t.Object({ mode: t.String(), order: Direction })

export const ViewRow = t.Object(
  {
    view_id: ViewId,
    project_id: ProjectId,
    title: t.String(),
    visibility: Visibility,
    visible_section_ids: orNull(t.Array(SectionId)),
    board_filters: BoardFilters,
    label_names: t.Array(t.String()),
    assignee_ids: t.Array(t.Union([t.Integer(), t.String()])),
    match: Match,
    is_default: t.Boolean({ description: 'Whether the board opens with this view for you' }),
    sorting_mode: t.String(),
    sorting_order: Direction,
    sorting_stack: t.Array(StoredSorting),
    subtask_setting: SubtaskSetting,
    display: orNull(Display),
    owner: Actor,
    created_at: Timestamp,
    updated_at: Timestamp,
    last_used_at: orNull(Timestamp),
    url: t.String(),
  },
  {
    columns: ['view_id', 'title', 'visibility', 'is_default', 'sorting_mode', 'owner.name'],
    omits: {
      created_at: 'updated_at is the later of the two',
      display: 'only the app draws tables',
      last_used_at: 'it only orders lists',
      url: 'it is made of view_id',
    },
  },
)
export type ViewRow = Static<typeof ViewRow>

export const ViewReceipt = t.Object({
  view_id: ViewId,
  project_id: ProjectId,
  title: t.String(),
  visibility: Visibility,
  is_default: t.Boolean(),
  changed: t.Array(t.String(), { description: 'Fields that were changed' }),
  url: t.String(),
})
export type ViewReceipt = Static<typeof ViewReceipt>

/** A subtask on the card of its parent. */
const Subtask = t.Object({
  task_id: Id('Id of a task'),
  ticket_number: t.String(),
  title: t.String(),
  section: t.String({ description: 'Title of its column' }),
  done: t.Boolean(),
})
export type Subtask = Static<typeof Subtask>

export const ViewTask = t.Object(
  {
    ...TaskRow.properties,
    subtasks: t.Optional(
      t.Array(Subtask, { description: 'At most 50; subtask_count is the total' }),
    ),
  },
  {
    columns: [...(TaskRow.columns as string[]), 'subtask_count', 'subtasks.ticket_number'],
    omits: { ...TaskRow.omits, 'subtasks.task_id': 'ticket_number names the task' },
  },
)
export type ViewTask = Static<typeof ViewTask>

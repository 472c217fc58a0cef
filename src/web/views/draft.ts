import type { Draft as Shown, Sorting, View } from '../board/rules.ts'
import type { Input } from '../data/client.ts'
import { type Field, type Groups, isWhole, settled } from './fields.ts'

export type Setting = View['subtask_setting']
type Match = View['match']

/** A view as it is being written. */
export interface Draft {
  title: string
  isShared: boolean
  isDefault: boolean
  match: Match
  groups: Groups
  sorting: Sorting
  subtasks: Setting
  /** Nothing: all that are not hidden. */
  columns: readonly number[] | null
}

type Kept = Pick<Shown, 'board_filters' | 'label_names' | 'assignee_ids'>

/** The labels and people that a view names beside its filters become groups, which say the same. */
const groupsIn = ({ board_filters, label_names = [], assignee_ids = [] }: Kept): Groups => [
  ...(board_filters?.groups ?? []),
  ...(label_names.length
    ? [{ rules: [{ field: 'label', op: 'any_of' as const, value: label_names }] }]
    : []),
  ...(assignee_ids.length
    ? [{ rules: [{ field: 'assignee', op: 'any_of' as const, value: assignee_ids.map(String) }] }]
    : []),
]

/** Of a view that is changed, or of what is shown now. */
export const draftOf = (view: View | undefined, shown: Shown): Draft => ({
  title: view?.title ?? '',
  isShared: view ? view.visibility === 'Public' : true,
  isDefault: view?.is_default ?? false,
  match: view?.match ?? 'ALL',
  groups: groupsIn(view ?? shown),
  sorting: sortingIn(view?.sorting_stack ?? shown.sorting_stack),
  subtasks: view?.subtask_setting ?? shown.subtask_setting ?? 'Flattened',
  columns: (view ?? shown).visible_section_ids ?? null,
})

const sortingIn = (stack: Shown['sorting_stack'] = []): Sorting =>
  stack.map(({ mode, order = 'Ascending' }) => ({ mode, order }))

/** Without rules that have no value yet; each asked for in one way. */
export const groupsNow = (groups: Groups, fields: ReadonlyMap<string, Field>): Groups =>
  groups
    .map(({ match = 'ALL', rules }) => ({
      match,
      rules: rules.filter(isWhole).map((rule) => {
        const field = fields.get(rule.field)
        return field ? settled(rule, field) : rule
      }),
    }))
    .filter(({ rules }) => rules.length)

export const givenBy = (
  draft: Draft,
  fields: ReadonlyMap<string, Field>,
): Omit<Input<'views.create'>, 'project_id'> => ({
  title: draft.title.trim(),
  visibility: draft.isShared ? 'Public' : 'Private',
  set_as_default: draft.isDefault,
  match: draft.match,
  board_filters: { groups: groupsNow(draft.groups, fields) },
  ...{ label_names: [], assignee_ids: [] },
  sorting_stack: draft.sorting,
  subtask_setting: draft.subtasks,
  visible_section_ids: draft.columns && [...draft.columns],
})

import type { Input } from '../../../data/client.ts'
import type { Draft as Shown, Sorting, View } from '../rules.ts'
import { type Field, type Groups, isComplete, normalizeRule } from './fields.ts'

export type Setting = View['subtask_setting']
type Match = View['match']

/** A view that is being edited. */
export interface Draft {
  title: string
  isShared: boolean
  isDefault: boolean
  match: Match
  groups: Groups
  sorting: Sorting
  subtasks: Setting
  /** Null shows all sections that are not hidden. */
  columns: readonly number[] | null
}

type StoredFilters = Pick<Shown, 'board_filters' | 'label_names' | 'assignee_ids'>

/**
 * The view's filters as rule groups; its separate lists of labels and assignees become groups too.
 */
const filterGroups = ({
  board_filters,
  label_names = [],
  assignee_ids = [],
}: StoredFilters): Groups => [
  ...(board_filters?.groups ?? []),
  ...(label_names.length
    ? [{ rules: [{ field: 'label', op: 'any_of' as const, value: label_names }] }]
    : []),
  ...(assignee_ids.length
    ? [{ rules: [{ field: 'assignee', op: 'any_of' as const, value: assignee_ids.map(String) }] }]
    : []),
]

/** The draft of an existing view, or of what the board shows now. */
export const draftOf = (view: View | undefined, shown: Shown): Draft => ({
  title: view?.title ?? '',
  isShared: view ? view.visibility === 'Public' : true,
  isDefault: view?.is_default ?? false,
  match: view?.match ?? 'ALL',
  groups: filterGroups(view ?? shown),
  sorting: sortingOf(view?.sorting_stack ?? shown.sorting_stack),
  subtasks: view?.subtask_setting ?? shown.subtask_setting ?? 'Flattened',
  columns: (view ?? shown).visible_section_ids ?? null,
})

const sortingOf = (stack: Shown['sorting_stack'] = []): Sorting =>
  stack.map(({ mode, order = 'Ascending' }) => ({ mode, order }))

/** The groups without incomplete rules, in normalized form. */
export const completeGroups = (groups: Groups, fields: ReadonlyMap<string, Field>): Groups =>
  groups
    .map(({ match = 'ALL', rules }) => ({
      match,
      rules: rules.filter(isComplete).map((rule) => {
        const field = fields.get(rule.field)
        return field ? normalizeRule(rule, field) : rule
      }),
    }))
    .filter(({ rules }) => rules.length)

export const viewFieldsOf = (
  draft: Draft,
  fields: ReadonlyMap<string, Field>,
): Omit<Input<'views.create'>, 'project_id'> => ({
  title: draft.title.trim(),
  visibility: draft.isShared ? 'Public' : 'Private',
  set_as_default: draft.isDefault,
  match: draft.match,
  board_filters: { groups: completeGroups(draft.groups, fields) },
  ...{ label_names: [], assignee_ids: [] },
  sorting_stack: draft.sorting,
  subtask_setting: draft.subtasks,
  visible_section_ids: draft.columns && [...draft.columns],
})

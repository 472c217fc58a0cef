import type { Input } from '../../../data/client.ts'
import { completeGroups, type Groups, viewFilter } from '../../../entities/task/condition/filter.ts'
import type { Draft as Shown, Sorting, View } from '../rules.ts'

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

/** The draft of an existing view, or of what the board shows now. */
export const draftOf = (view: View | undefined, shown: Shown): Draft => ({
  title: view?.title ?? '',
  isShared: view ? view.visibility === 'Public' : true,
  isDefault: view?.is_default ?? false,
  match: (view ?? shown).match ?? 'ALL',
  groups: view ? viewFilter(view).groups : (shown.board_filters?.groups ?? []),
  sorting: sortingOf(view?.sorting_stack ?? shown.sorting_stack),
  subtasks: view?.subtask_setting ?? shown.subtask_setting ?? 'Flattened',
  columns: (view ?? shown).visible_section_ids ?? null,
})

const sortingOf = (stack: Shown['sorting_stack'] = []): Sorting =>
  stack.map(({ mode, order = 'Ascending' }) => ({ mode, order }))

export const viewFieldsOf = (draft: Draft): Omit<Input<'views.create'>, 'project_id'> => ({
  title: draft.title.trim(),
  visibility: draft.isShared ? 'Public' : 'Private',
  set_as_default: draft.isDefault,
  match: draft.match,
  board_filters: { groups: completeGroups(draft.groups) },
  ...{ label_names: [], assignee_ids: [] },
  sorting_stack: draft.sorting,
  subtask_setting: draft.subtasks,
  visible_section_ids: draft.columns && [...draft.columns],
})

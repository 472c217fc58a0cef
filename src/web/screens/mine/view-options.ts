import type { Input } from '../../data/client.ts'
import { t } from '../../messages/t.ts'
import {
  EMPTY_FILTER,
  type Filter,
  filterOf,
  groupsOf,
  isEmptyFilter,
  isSameFilter,
  KINDS,
} from './filter.ts'
import type { MyView } from './types.ts'

/** The sort modes inside a group; overdue tasks always come first. */
export const SORTS = {
  DueDate: t('common.due_date'),
  Priority: t('common.priority'),
  Size: t('common.size'),
  Title: t('common.title'),
  TicketNumber: t('common.key'),
  CreatedAt: t('common.created'),
  UpdatedAt: t('common.updated'),
  LastCommentAt: t('mine.last_comment'),
  SectionChangedAt: t('mine.moved_to_column'),
  TimeOnBoard: t('mine.time_on_board'),
  TimeInColumn: t('mine.time_in_column'),
  TimeWithoutComment: t('mine.time_without_a_comment'),
} as const
export type Mode = keyof typeof SORTS
export interface Sort {
  mode: string
  order: 'Ascending' | 'Descending'
}

export type Involvement = NonNullable<ListQuery['involvement']>
export const INVOLVEMENTS: Record<Involvement, string> = {
  assigned: t('mine.assigned_to_me'),
  created: t('mine.created_by_me'),
  watched: t('mine.watched'),
}

/** The options of the My Tasks list. */
export interface ViewOptions {
  involvement: Involvement
  grouping: 'due' | 'board'
  withDone: boolean
  /** Empty means all boards. */
  project_ids: readonly number[]
  /** Null keeps the view's own filter, which this form cannot show. */
  filter: Filter | null
  /** The first entry has precedence. */
  sorting: readonly Sort[]
}

const BY_DUE: readonly Sort[] = [{ mode: 'DueDate', order: 'Ascending' }]
export const DEFAULT_OPTIONS: ViewOptions = {
  ...{ involvement: 'assigned', grouping: 'due', withDone: false, project_ids: [] },
  ...{ filter: EMPTY_FILTER, sorting: BY_DUE },
}

/** My Tasks has no manual order; it falls back to the due date. */
const sortingOf = ({ sorting_stack: stack }: MyView) =>
  stack[0]?.mode === 'Manual' ? BY_DUE : stack

export const optionsOfView = (view: MyView): ViewOptions => ({
  involvement: view.involvement,
  grouping: view.grouping,
  withDone: view.show_done,
  project_ids: view.project_ids,
  filter: filterOf(view.board_filters.groups, view.match),
  sorting: sortingOf(view),
})

/** The options as fields of a saved view. */
export const viewFieldsOf = ({
  involvement,
  grouping,
  withDone,
  project_ids,
  filter,
  sorting,
}: ViewOptions) => ({
  ...{ involvement, grouping, show_done: withDone, project_ids: [...project_ids] },
  ...(filter && { board_filters: { groups: groupsOf(filter) }, match: 'ALL' as const }),
  sorting_stack: [...sorting],
})

const NO = 'no'
const ALL = 'all'
/** Named after what the list shows: `assigned` overrides a view that shows others. */
const INVOLVEMENT = 'show'
const PARAMS = [INVOLVEMENT, 'group', 'done', 'boards', 'sort', 'filter', ...KINDS]

const isInvolvement = (name: string | null): name is Involvement =>
  name !== null && Object.hasOwn(INVOLVEMENTS, name)

/** The options in the URL. */
export function readOptions(query: URLSearchParams): Partial<ViewOptions> {
  const involvement = query.get(INVOLVEMENT)
  const group = query.get('group')
  const done = query.get('done')
  const boards = query.get('boards')
  const sortParam = query.get('sort')
  const isFiltered = ['filter', ...KINDS].some((kind) => query.has(kind))
  return {
    ...(isInvolvement(involvement) && { involvement }),
    ...(group && { grouping: group === 'board' ? 'board' : 'due' }),
    ...(done && { withDone: done !== NO }),
    ...(boards && { project_ids: boards.split(',').map(Number).filter(Number.isInteger) }),
    ...(sortParam && {
      sorting: [
        {
          mode: sortParam.replace(/^-/, ''),
          order: sortParam.startsWith('-') ? 'Descending' : 'Ascending',
        },
      ],
    }),
    ...(isFiltered && {
      filter: {
        ...{ priority: query.getAll('priority'), due: query.getAll('due') },
        ...{ label: query.getAll('label'), is: query.getAll('is') },
      },
    }),
  }
}

const sortToText = ({ mode, order }: Sort) => (order === 'Descending' ? '-' : '') + mode

/** Writes the differences between `next` and `base` to the URL. */
export function writeOptions(query: URLSearchParams, base: ViewOptions, next: ViewOptions) {
  clearOptions(query)
  const { involvement, grouping, withDone, project_ids, filter, sorting } = next
  if (involvement !== base.involvement) query.set(INVOLVEMENT, involvement)
  if (grouping !== base.grouping) query.set('group', grouping)
  if (withDone !== base.withDone) query.set('done', withDone ? 'yes' : NO)
  if (project_ids.toSorted().join() !== base.project_ids.toSorted().join())
    query.set('boards', project_ids.join() || ALL)
  const sortText = sorting.map(sortToText).join()
  if (sortText !== base.sorting.map(sortToText).join()) query.set('sort', sortText)
  if (!filter || isSameFilter(filter, base.filter)) return
  for (const kind of KINDS) for (const value of filter[kind]) query.append(kind, value)
  if (isEmptyFilter(filter)) query.set('filter', 'none')
}

export function clearOptions(query: URLSearchParams) {
  for (const name of PARAMS) query.delete(name)
}

export type ListQuery = Input<'my_tasks.groups'>

/**
 * The options as a list query. `allBoards` replaces an empty board list, which would mean the
 * view's boards.
 */
export function listQueryOf(
  fromUrl: Partial<ViewOptions>,
  allBoards: readonly number[],
): ListQuery {
  const { involvement, grouping, withDone, project_ids, filter, sorting } = fromUrl
  const [sortParam] = sorting ?? []
  return {
    ...(involvement && { involvement }),
    ...(grouping && { grouping }),
    ...(withDone !== undefined && { include_done: withDone }),
    ...(project_ids && { project_ids: project_ids.length ? [...project_ids] : [...allBoards] }),
    ...(filter && { board_filters: { groups: groupsOf(filter) } }),
    ...(sortParam && { sorting_mode: sortParam.mode as Mode, sorting_order: sortParam.order }),
  }
}

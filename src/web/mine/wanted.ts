import type { Input } from '../data/client.ts'
import {
  EVERYTHING,
  type Filter,
  filterOf,
  groupsOf,
  isEverything,
  isSame,
  KINDS,
} from './filter.ts'
import type { MyView } from './shapes.ts'

/** How the tasks inside a group are sorted; overdue ones stay first. */
export const SORTS = {
  DueDate: 'Due date',
  Priority: 'Priority',
  Size: 'Size',
  Title: 'Title',
  TicketNumber: 'Key',
  CreatedAt: 'Created',
  UpdatedAt: 'Changed',
  LastCommentAt: 'Last comment',
  SectionChangedAt: 'Moved to its column',
  TimeOnBoard: 'Time on the board',
  TimeInColumn: 'Time in its column',
  TimeWithoutComment: 'Time without a comment',
} as const
export type Mode = keyof typeof SORTS
export interface Sort {
  mode: string
  order: 'Ascending' | 'Descending'
}

/** What of My Tasks is shown, and how. */
export interface Wanted {
  grouping: 'due' | 'board'
  withDone: boolean
  /** None: all boards. */
  project_ids: readonly number[]
  /** Null: the view's own, which asks for more than can be shown here. */
  filter: Filter | null
  /** The first counts most. */
  sorting: readonly Sort[]
}

const BY_DUE: readonly Sort[] = [{ mode: 'DueDate', order: 'Ascending' }]
export const USUAL: Wanted = {
  ...{ grouping: 'due', withDone: false, project_ids: [] },
  ...{ filter: EVERYTHING, sorting: BY_DUE },
}

/** My Tasks have no order by hand; they are as they are due. */
const sortingOf = ({ sorting_stack: stack }: MyView) =>
  stack[0]?.mode === 'Manual' ? BY_DUE : stack

export const wantedBy = (view: MyView): Wanted => ({
  grouping: view.grouping,
  withDone: view.show_done,
  project_ids: view.project_ids,
  filter: filterOf(view.board_filters.groups, view.match),
  sorting: sortingOf(view),
})

/** What a view keeps of that. */
export const keptOf = ({ grouping, withDone, project_ids, filter, sorting }: Wanted) => ({
  ...{ grouping, show_done: withDone, project_ids: [...project_ids] },
  ...(filter && { board_filters: { groups: groupsOf(filter) }, match: 'ALL' as const }),
  sorting_stack: [...sorting],
})

const NO = 'no'
const ALL = 'all'
const NAMES = ['group', 'done', 'boards', 'sort', 'filter', ...KINDS]

/** What the address says of it, beside the view. */
export function read(query: URLSearchParams): Partial<Wanted> {
  const group = query.get('group')
  const done = query.get('done')
  const boards = query.get('boards')
  const sort = query.get('sort')
  const isFiltered = ['filter', ...KINDS].some((kind) => query.has(kind))
  return {
    ...(group && { grouping: group === 'board' ? 'board' : 'due' }),
    ...(done && { withDone: done !== NO }),
    ...(boards && { project_ids: boards.split(',').map(Number).filter(Number.isInteger) }),
    ...(sort && {
      sorting: [
        {
          mode: sort.replace(/^-/, ''),
          order: sort.startsWith('-') ? 'Descending' : 'Ascending',
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

const spell = ({ mode, order }: Sort) => (order === 'Descending' ? '-' : '') + mode

/** Says in the address how `next` is other than what the view, or nobody, says. */
export function write(query: URLSearchParams, base: Wanted, next: Wanted) {
  clear(query)
  const { grouping, withDone, project_ids, filter, sorting } = next
  if (grouping !== base.grouping) query.set('group', grouping)
  if (withDone !== base.withDone) query.set('done', withDone ? 'yes' : NO)
  if (project_ids.toSorted().join() !== base.project_ids.toSorted().join())
    query.set('boards', project_ids.join() || ALL)
  const spelled = sorting.map(spell).join()
  if (spelled !== base.sorting.map(spell).join()) query.set('sort', spelled)
  if (!filter || isSame(filter, base.filter)) return
  for (const kind of KINDS) for (const value of filter[kind]) query.append(kind, value)
  if (isEverything(filter)) query.set('filter', 'none')
}

export function clear(query: URLSearchParams) {
  for (const name of NAMES) query.delete(name)
}

export type Asked = Input<'my_tasks.groups'>

/** The same as a question to the server; `all` stands for every board where the view has some. */
export function askedOf(said: Partial<Wanted>, all: readonly number[]): Asked {
  const { grouping, withDone, project_ids, filter, sorting } = said
  const [sort] = sorting ?? []
  return {
    ...(grouping && { grouping }),
    ...(withDone !== undefined && { include_done: withDone }),
    ...(project_ids && { project_ids: project_ids.length ? [...project_ids] : [...all] }),
    ...(filter && { board_filters: { groups: groupsOf(filter) } }),
    ...(sort && { sorting_mode: sort.mode as Mode, sorting_order: sort.order }),
  }
}

import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { openChatSoon } from '../frame/asking.ts'
import { type Offer, useOffers } from '../frame/offers.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { type Column, tasksIn } from './data.ts'
import { useLayoutOffers } from './layouts.ts'
import { type Look, turn } from './look.ts'
import { print } from './print.tsx'
import { SORTS, type Sort } from './rules.ts'

interface Props {
  project_id: number
  look: Look
  columns: readonly Column[]
  onFilter(): void
}

/** How the cards are laid out, what they are sorted by, and which columns are shown. */
export function ShowMenu({ project_id, look, columns, onFilter }: Props) {
  const offers = useShowOffers(look, columns)
  const [archive, settings] = useElsewhere(project_id)
  const [layouts, lanes] = useLayoutOffers(look)
  const all = useMemo(
    (): Offer[] => [
      ...layouts,
      ...lanes,
      ...offers,
      ASK,
      PRINT,
      archive,
      settings,
      { name: 'Filter the board', icon: 'filter', hint: 'F', run: onFilter },
    ],
    [layouts, lanes, offers, archive, settings, onFilter],
  )
  useOffers(all)
  return (
    <Menu
      label="How the board is shown"
      trigger={
        <button type="button" className="button quiet">
          <Icon name="settings" />
          <span className="word">Show</span>
        </button>
      }
      groups={[layouts, lanes, offers, sortsOf(look), [ASK, PRINT, archive, settings]].filter(
        (one) => one.length,
      )}
    />
  )
}

/** Other screens about this board. */
function useElsewhere(project_id: number): readonly [Offer, Offer] {
  const [, go] = useLocation()
  return useMemo(
    () => [
      {
        ...{ name: 'Archived tasks', icon: 'archive', also: 'restore' },
        run: () => go(`/archive?board=${project_id}`),
      },
      {
        ...{ name: 'Settings of the board', icon: 'settings' },
        also: 'columns labels fields members playbook instructions templates archive',
        run: () => go(`/settings/board/${project_id}`),
      },
    ],
    [go, project_id],
  )
}

const ASK: Offer = {
  ...{ name: 'Ask about this board', icon: 'spark', also: 'chat ai' },
  run: openChatSoon,
}
const PRINT: Offer = { name: 'Print…', icon: 'page', also: 'pdf paper', run: print }

function useShowOffers(look: Look, columns: readonly Column[]): Offer[] {
  const { withDone, withHidden, isFlat, put } = look
  const done = manyIn(columns.filter((one) => one.done && !one.hidden))
  const hidden = manyIn(columns.filter((one) => one.hidden))
  const hasSubtasks = columns.some(({ cards }) => cards.some((card) => card.parent_task_id))
  return useMemo(() => {
    const offers: (Offer | false)[] = [
      done !== undefined && {
        ...{ name: withDone ? 'Hide completed' : `Show completed${done}`, icon: 'done' },
        run: () => turn(put, 'done', !withDone),
      },
      hidden !== undefined && {
        ...{ name: withHidden ? 'Leave out hidden' : `Show hidden${hidden}`, icon: 'moon' },
        run: () => turn(put, 'hidden', !withHidden),
      },
      hasSubtasks
        ? {
            ...{ name: isFlat ? 'Leave out sub-tasks' : 'Show sub-tasks', icon: 'subtasks' },
            run: () => turn(put, 'subtasks', !isFlat),
          }
        : false,
    ]
    return offers.filter((one) => typeof one === 'object')
  }, [put, isFlat, withDone, withHidden, done, hidden, hasSubtasks])
}

/** How many are in these columns, to stand behind their name; nothing where there is no column. */
export function manyIn(columns: readonly Column[]): string | undefined {
  const many = tasksIn(columns)
  if (!columns.length) return undefined
  return many ? ` (${many})` : ''
}

function sortsOf({ sorting, put }: Look) {
  const { mode: sort = 'Manual', order } = sorting[0] ?? {}
  const sortBy = (mode: string) => put((query) => query.set('sort', mode))
  const sorts = (Object.keys(SORTS) as Sort[]).map((mode) => ({
    name: `Sort: ${SORTS[mode]}`,
    checked: mode === sort,
    run: () => sortBy(mode),
  }))
  const isTurned = order === 'Descending'
  const turned = {
    name: isTurned ? 'Sort forwards' : 'Sort backwards',
    icon: 'repeat' as const,
    run: () => sortBy(isTurned ? sort : `-${sort}`),
  }
  return sort === 'Manual' ? sorts : [...sorts, turned]
}

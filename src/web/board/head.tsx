import { memo, type RefObject, useMemo, useState } from 'react'
import { useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { type Offer, useOffers } from '../frame/offers.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Avatar, keyOf } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
import { Rename } from './column-head.tsx'
import { type Board, type Column, patch } from './data.ts'
import { type Look, turn } from './look.ts'
import { Menu } from './menu.tsx'
import { SORTS, type Sort } from './rules.ts'
import { ViewMenu } from './views.tsx'

interface Props {
  board: Board
  look: Look
  columns: readonly Column[]
  shown: readonly Column[]
  filterButton: RefObject<HTMLButtonElement | null>
  onFilter(): void
}

export const BoardHead = memo(function BoardHead(props: Props) {
  const { board, look, columns, shown, filterButton, onFilter } = props
  return (
    <header className="head">
      <BoardTitle board={board} />
      <ViewMenu {...{ board, look, shown }} />
      <span className="end">
        <AtWork board={board} />
        <Members project_id={board.project_id} />
        <button
          type="button"
          ref={filterButton}
          className="button quiet"
          aria-haspopup="dialog"
          title="Filter (F)"
          onClick={onFilter}
        >
          <Icon name="filter" />
          <span className="word">Filter</span>
        </button>
        <ShowMenu look={look} columns={columns} onFilter={onFilter} />
      </span>
    </header>
  )
})

/** A click and it can be typed anew. */
function BoardTitle({ board }: { board: Board }) {
  const [renaming, setRenaming] = useState(false)
  const { project_id, title } = board
  const { act } = useAct('projects.rename', {
    ahead: (input) => patch(project_id, (now) => ({ ...now, title: input.title })),
    done: (_, input) => say(`Renamed to ${input.title}`),
    failed: (error) => complain(wordsOf(error)),
  })
  if (renaming)
    return (
      <Rename
        title={title}
        name="Name of the board"
        onPut={(next) => {
          setRenaming(false)
          if (next) act({ project_id, title: next })
        }}
      />
    )
  return (
    <h1>
      <button type="button" title="Rename the board" onClick={() => setRenaming(true)}>
        {title}
      </button>
    </h1>
  )
}

/** How many agents hold a task of this board now. */
function AtWork({ board }: { board: Board }) {
  const agents = new Set(board.cards.flatMap(({ lease }) => lease?.holder ?? []))
  const names = board.actors.filter((one) => agents.has(keyOf(one))).map(({ name }) => name)
  if (!agents.size) return null
  return (
    <span className="meta live" title={names.join(', ')} role="status">
      <span className="pulse" aria-hidden="true" />
      {agents.size} at work
    </span>
  )
}

const MOST_FACES = 5

function Members({ project_id }: { project_id: number }) {
  const { data } = useAsk('projects.members', { project_id, limit: 50 })
  const members = data?.items ?? []
  const more = (data?.page.total ?? members.length) - MOST_FACES
  return (
    <span className="avatars faces">
      {members.slice(0, MOST_FACES).map((one) => (
        <Avatar key={keyOf(one)} actor={one} />
      ))}
      {more > 0 && <span className="soft">+{more}</span>}
    </span>
  )
}

export const tasksIn = (columns: readonly Column[]) =>
  columns.reduce((sum, { total }) => sum + total, 0)

interface ShowProps {
  look: Look
  columns: readonly Column[]
  onFilter(): void
}

/** How the cards are laid out, what they are sorted by, and which columns are shown. */
function ShowMenu({ look, columns, onFilter }: ShowProps) {
  const { layout, withDone, withHidden, sorting, put } = look
  const done = tasksIn(columns.filter((one) => one.done && !one.hidden))
  const hidden = tasksIn(columns.filter((one) => one.hidden))
  const offers = useMemo(
    (): Offer[] => [
      {
        ...{ name: layout === 'list' ? 'Show as a board' : 'Show as a list', also: 'layout' },
        icon: layout === 'list' ? 'board' : 'list',
        run: () =>
          put((query) =>
            layout === 'list' ? query.delete('layout') : query.set('layout', 'list'),
          ),
      },
      {
        ...{ name: withDone ? 'Hide done' : `Show done (${done})`, icon: 'check' },
        run: () => turn(look, 'done', !withDone),
      },
      {
        ...{ name: withHidden ? 'Leave out hidden' : `Show hidden (${hidden})`, icon: 'moon' },
        run: () => turn(look, 'hidden', !withHidden),
      },
      { name: 'Filter the board', icon: 'filter', hint: 'F', run: onFilter },
    ],
    [look, layout, withDone, withHidden, done, hidden, put, onFilter],
  )
  useOffers(offers)
  const sort = sorting[0]?.mode ?? 'Manual'
  const sortBy = (mode: Sort) =>
    put((query) => (mode === 'Manual' ? query.delete('sort') : query.set('sort', mode)))
  return (
    <Menu
      label="How the board is shown"
      trigger={
        <button type="button" className="button quiet">
          <Icon name="settings" />
          <span className="word">Show</span>
        </button>
      }
      groups={[
        offers.slice(0, 3),
        (Object.keys(SORTS) as Sort[]).map((mode) => ({
          name: `Sort: ${SORTS[mode]}${mode === sort ? ' (now)' : ''}`,
          icon: mode === sort ? ('check' as const) : ('list' as const),
          run: () => sortBy(mode),
        })),
      ]}
    />
  )
}

import { memo, type RefObject, useRef, useState } from 'react'
import { useAct, useAsk } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { Avatar, keyOf } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Board, type Column, patch } from './data.ts'
import type { Look } from './look.ts'
import './head.css'
import { Rename } from './rename.tsx'
import { ShowMenu } from './show.tsx'
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
        <ShowMenu project_id={board.project_id} {...{ look, columns, onFilter }} />
      </span>
    </header>
  )
})

/** A click and it can be typed anew. */
function BoardTitle({ board }: { board: Board }) {
  const [renaming, setRenaming] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { project_id, title } = board
  const { act } = useAct('projects.rename', {
    ahead: (input) => patch(project_id, (now) => ({ ...now, title: input.title })),
    failed: (error) => complain(wordsOf(error)),
  })
  const rename = (next: string) => {
    const undo = () => act({ project_id, title })
    act({ project_id, title: next }, { onSuccess: () => say(`Renamed to ${next}`, undo) })
  }
  if (renaming)
    return (
      <Rename
        title={title}
        name="Name of the board"
        onPut={(next) => {
          setRenaming(false)
          requestAnimationFrame(() => button.current?.focus())
          if (next) rename(next)
        }}
      />
    )
  return (
    <h1>
      <button
        type="button"
        ref={button}
        dir="auto"
        title="Rename the board"
        onClick={() => setRenaming(true)}
      >
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
      <span>
        {agents.size}
        <span className="word"> at work</span>
      </span>
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

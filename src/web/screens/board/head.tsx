import { memo, type RefObject, useRef, useState } from 'react'
import { useOperation, useOperationMutation } from '../../data/cache.ts'
import { type Board, type Column, patchBoard } from '../../entities/board/data.ts'
import { Presence } from '../../entities/presence/presence.tsx'
import { keyOf } from '../../entities/user/actor.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { Icon } from '../../kit/icon.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import './head.css'
import { RenameField } from '../../kit/rename-field.tsx'
import { DisplayMenu } from './display-menu.tsx'
import { ViewMenu } from './views.tsx'

interface Props {
  board: Board
  boardQuery: BoardQuery
  columns: readonly Column[]
  shown: readonly Column[]
  filterButton: RefObject<HTMLButtonElement | null>
  onFilter(): void
}

export const BoardHead = memo(function BoardHead(props: Props) {
  const { board, boardQuery, columns, shown, filterButton, onFilter } = props
  return (
    <header className="head">
      <BoardTitle board={board} />
      <ViewMenu {...{ board, boardQuery, shown }} />
      <span className="end">
        <ActiveAgents board={board} />
        <Presence project_id={board.project_id} />
        <Members project_id={board.project_id} />
        <button
          type="button"
          ref={filterButton}
          className="button quiet"
          title={t('board.filter_f')}
          onClick={onFilter}
        >
          <Icon name="filter" />
          <span className="word">{t('board.filter')}</span>
        </button>
        <DisplayMenu project_id={board.project_id} {...{ boardQuery, columns, onFilter }} />
      </span>
    </header>
  )
})

/** The title of the board; a click edits it. */
function BoardTitle({ board }: { board: Board }) {
  const [renaming, setRenaming] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { project_id, title } = board
  const { mutate } = useOperationMutation('projects.rename', {
    optimistic: (input) =>
      patchBoard(project_id, (current) => ({ ...current, title: input.title })),
    onFailed: showError,
  })
  const rename = (newTitle: string) => {
    const undo = () => mutate({ project_id, title })
    mutate(
      { project_id, title: newTitle },
      { onSuccess: () => showToast(t('board.renamed_to_newtitle', { newTitle }), undo) },
    )
  }
  if (renaming)
    return (
      <RenameField
        title={title}
        name={t('board.board_name')}
        onFinish={(next) => {
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
        title={t('board.rename_board')}
        onClick={() => setRenaming(true)}
      >
        {title}
      </button>
    </h1>
  )
}

/** The number of agents that hold a lease on this board. */
function ActiveAgents({ board }: { board: Board }) {
  const agents = new Set(board.cards.flatMap(({ lease }) => lease?.holder ?? []))
  const names = board.actors.filter((actor) => agents.has(keyOf(actor))).map(({ name }) => name)
  if (!agents.size) return null
  return (
    <span className="meta live" title={names.join(', ')} role="status">
      <span className="pulse" aria-hidden="true" />
      <span>
        {agents.size}
        <span className="word"> {t('board.working')}</span>
      </span>
    </span>
  )
}

const MAX_AVATARS = 5

function Members({ project_id }: { project_id: number }) {
  const { data } = useOperation('projects.members', { project_id, limit: 50 })
  const members = data?.items ?? []
  const hiddenCount = (data?.page.total ?? members.length) - MAX_AVATARS
  return (
    <span className="avatars faces">
      {members.slice(0, MAX_AVATARS).map((member) => (
        <Avatar key={keyOf(member)} actor={member} />
      ))}
      {hiddenCount > 0 && <span className="soft">+{hiddenCount}</span>}
    </span>
  )
}

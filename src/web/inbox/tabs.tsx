import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { Icon } from '../parts/icon.tsx'
import { PickOne } from '../parts/pick.tsx'
import { FOLDERS, type Folder, type Look } from './look.ts'
import { KINDS } from './words.ts'

type Summary = Output<'inbox.summary'>

/** How many are unread there. */
const unreadIn = (folder: Folder, { important, unread }: Summary): number =>
  ({ important, other: unread - important, all: unread, archived: 0 })[folder]

/** The parts of the inbox, side by side. */
export const Tabs = ({ look, summary }: { look: Look; summary: Summary | undefined }) => (
  <nav className="looks" aria-label="Parts of the inbox">
    {(Object.keys(FOLDERS) as Folder[]).map((folder) => {
      const many = summary && unreadIn(folder, summary)
      return (
        <Link
          key={folder}
          href={look.pathOf(folder)}
          aria-current={folder === look.folder ? 'page' : undefined}
        >
          {FOLDERS[folder].name}
          {many ? (
            <span className="count">
              {many}
              <span className="unseen"> unread</span>
            </span>
          ) : null}
        </Link>
      )
    })}
  </nav>
)

const EVERY = 0

/** All boards by time, or one by what there is of each kind. */
export function BoardPick({ me, look }: { me: Me; look: Look }) {
  const title = me.boards.find(({ project_id }) => project_id === look.board)?.title
  return (
    <PickOne
      label="Of which board?"
      value={look.board ?? EVERY}
      choices={[
        { value: EVERY, name: 'All boards' },
        ...me.boards.map((one) => ({ value: one.project_id, name: one.title })),
      ]}
      trigger={
        <button
          type="button"
          className="button plain boards"
          aria-label={title ? `Board: ${title}` : 'All boards'}
        >
          <Icon name="board" />
          <span className="name">{title ?? 'All boards'}</span>
        </button>
      }
      onPick={(id) => look.setBoard(id || undefined)}
    />
  )
}

/** What there is of each kind on one board; each can be shown alone. */
export function Composition({ board, look }: { board: number; look: Look }) {
  const { kind: _, ...asked } = look.asked
  const { data } = useAsk(
    'inbox.list',
    { ...asked, project_id: board, composition: true },
    { keep: true },
  )
  if (!data?.items.length) return <div className="kinds" />
  return (
    <fieldset className="kinds">
      <legend className="unseen">Kinds of notifications on this board</legend>
      {data.items.map(({ kind, total, unread }) => (
        <button
          key={kind}
          type="button"
          className="button plain"
          aria-pressed={look.kinds.includes(kind)}
          aria-label={`${KINDS[kind]} ${total}, ${unread} unread`}
          onClick={() => look.turnKind(kind)}
        >
          {KINDS[kind]} <span className="count">{total}</span>
        </button>
      ))}
    </fieldset>
  )
}

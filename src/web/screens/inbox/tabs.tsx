import { useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'
import type { Me } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { PickOne } from '../../kit/pick.tsx'
import { t } from '../../messages/t.ts'
import { FOLDERS, type Folder, type InboxView } from './inbox-view.ts'
import { KINDS } from './texts.ts'

type Summary = Output<'inbox.summary'>

/** The number of unread notifications in a folder. */
const unreadIn = (folder: Folder, { important, unread }: Summary): number =>
  ({ important, other: unread - important, all: unread, archived: 0 })[folder]

/** The folders of the inbox as tabs. */
export const Tabs = ({ view, summary }: { view: InboxView; summary: Summary | undefined }) => (
  <NavTabs
    label={t('inbox.inbox_folders')}
    tabs={(Object.keys(FOLDERS) as Folder[]).map((folder) => {
      const count = summary && unreadIn(folder, summary)
      const name = (
        <>
          {FOLDERS[folder].name}
          {count ? (
            <span className="count">
              {count}
              <span className="unseen"> {t('inbox.unread_inline')}</span>
            </span>
          ) : null}
        </>
      )
      return { href: view.pathOf(folder), name, isCurrent: folder === view.folder }
    })}
  />
)

const ALL_BOARDS = 0

/** Picks one board or all boards. */
export function BoardPick({ me, view }: { me: Me; view: InboxView }) {
  const title = me.boards.find(({ project_id }) => project_id === view.board)?.title
  return (
    <PickOne
      label={t('common.board')}
      value={view.board ?? ALL_BOARDS}
      choices={[
        { value: ALL_BOARDS, name: t('common.all_boards') },
        ...me.boards.map((one) => ({ value: one.project_id, name: one.title })),
      ]}
      trigger={
        <button
          type="button"
          className="button plain boards"
          aria-label={title ? t('inbox.board_title', { title }) : t('common.all_boards')}
        >
          <Icon name="board" />
          <span className="name">{title ?? t('common.all_boards')}</span>
        </button>
      }
      onPick={(id) => view.setBoard(id || undefined)}
    />
  )
}

/** The kinds of notifications on a board with their counts; each can be filtered by. */
export function Composition({ board, view }: { board: number; view: InboxView }) {
  const { kind: _, ...query } = view.listQuery
  const { data } = useOperation(
    'inbox.list',
    { ...query, project_id: board, composition: true },
    { keepPrevious: true },
  )
  if (!data?.items.length) return <div className="kinds" />
  return (
    <fieldset className="kinds">
      <legend className="unseen">{t('inbox.kinds_of_notifications_on_this_board')}</legend>
      {data.items.map(({ kind, total, unread }) => (
        <button
          key={kind}
          type="button"
          className="button plain"
          aria-pressed={view.kinds.includes(kind)}
          aria-label={t('inbox.kind_total_unread_unread', { kind: KINDS[kind], total, unread })}
          onClick={() => view.toggleKind(kind)}
        >
          {KINDS[kind]} <span className="count">{total}</span>
        </button>
      ))}
    </fieldset>
  )
}

import { useOperation } from '../../data/cache.ts'
import { isRejected } from '../../data/load-failures.ts'
import type { Me } from '../../entities/user/me.ts'
import { errorText } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { t } from '../../messages/t.ts'
import './archive.css'
import { type ArchiveView, type Kind, useArchiveView } from './archive-view.ts'
import { restoringKeys, useBoards, useTasks } from './data.ts'
import { Empty } from './empty.tsx'
import { List } from './list.tsx'
import { boardKey, taskKey } from './restore.ts'
import { BoardRow, TaskRow, useStep } from './rows.tsx'

/** The archive: searches, opens and restores archived tasks and boards. */
export default function Archive({ me }: { me: Me }) {
  const view = useArchiveView()
  return (
    <section className="archive fill" aria-labelledby="archive-title">
      <header>
        <h1 id="archive-title">{t('common.archive')}</h1>
        <Kinds archiveView={view} />
      </header>
      <Filters me={me} archiveView={view} />
      {view.kind === 'tasks' ? <Tasks me={me} archiveView={view} /> : <Boards archiveView={view} />}
    </section>
  )
}

const NAMES: Record<Kind, string> = { tasks: t('common.tasks'), boards: t('common.boards') }

const Kinds = ({ archiveView }: { archiveView: ArchiveView }) => (
  <NavTabs
    label={t('archive.archived_items')}
    tabs={(['tasks', 'boards'] as const).map((kind) => ({
      ...{
        href: archiveView.pathOf(kind),
        name: NAMES[kind],
        isCurrent: kind === archiveView.kind,
      },
    }))}
  />
)

function Filters({ me, archiveView }: { me: Me; archiveView: ArchiveView }) {
  const { kind, text, setText, clear } = archiveView
  const what =
    kind === 'tasks' ? t('archive.search_archived_tasks') : t('archive.search_archived_boards')
  return (
    // biome-ignore lint/a11y/useSemanticElements: nothing is sent
    <div className="filters" role="search">
      <label className="box">
        <Icon name="search" />
        <input
          type="text"
          aria-label={what}
          placeholder={what}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {text && (
          <button type="button" className="button quiet only" onClick={clear}>
            <Icon name="close" label={t('archive.clear_the_search')} />
          </button>
        )}
      </label>
      {kind === 'tasks' && <BoardSelect me={me} archiveView={archiveView} />}
    </div>
  )
}

/** Tasks of archived boards are listed only when their board is selected. */
function BoardSelect({
  me: { boards },
  archiveView: { board, setBoard },
}: {
  me: Me
  archiveView: ArchiveView
}) {
  const isOther = board !== undefined && boards.every(({ project_id }) => project_id !== board)
  const { data } = useOperation(
    'projects.manifest',
    { project_id: board ?? 0 },
    { enabled: isOther },
  )
  return (
    <select
      className="field"
      aria-label={t('common.board')}
      value={board ?? ''}
      onChange={({ target }) => setBoard(target.value)}
    >
      <option value="">{t('common.all_boards')}</option>
      {boards.map(({ project_id, title }) => (
        <option key={project_id} value={project_id}>
          {title}
        </option>
      ))}
      {isOther && <option value={board}>{data?.title ?? t('archive.another_board')}</option>}
    </select>
  )
}

function Tasks({ me, archiveView }: { me: Me; archiveView: ArchiveView }) {
  const { list, rows, total } = useTasks(archiveView.searchText, archiveView.board)
  const restoring = restoringKeys.use()
  const visible = rows?.filter((row) => !restoring.has(taskKey(row)))
  const titles = new Map(me.boards.map(({ project_id, title }) => [project_id, title]))
  const mayRestore = me.permissions.includes('tasks:write')
  useStep(visible)
  return (
    <Content
      {...{ archiveView, list, total }}
      count={visible?.length}
      what={t('archive.archived_tasks')}
    >
      <List rows={visible ?? []} list={list} what={t('archive.archived_tasks')} keyOf={taskKey}>
        {(task) => (
          <TaskRow task={task} board={titles.get(task.project_id)} mayRestore={mayRestore} />
        )}
      </List>
    </Content>
  )
}

function Boards({ archiveView }: { archiveView: ArchiveView }) {
  const { list, rows, total } = useBoards(archiveView.searchText)
  const restoring = restoringKeys.use()
  const visible = rows?.filter((row) => !restoring.has(boardKey(row)))
  return (
    <Content
      {...{ archiveView, list, total }}
      count={visible?.length}
      what={t('archive.archived_boards')}
    >
      <List rows={visible ?? []} list={list} what={t('archive.archived_boards')} keyOf={boardKey}>
        {(board) => <BoardRow board={board} />}
      </List>
    </Content>
  )
}

interface ContentProps {
  archiveView: ArchiveView
  list: ReturnType<typeof useTasks>['list'] | ReturnType<typeof useBoards>['list']
  count: number | undefined
  total: number | undefined
  what: string
  children: React.ReactNode
}

/** A list, or in its place an error, a skeleton while it loads, or an empty state. */
function Content({ archiveView, list, count, total, what, children }: ContentProps) {
  if (list.error && isRejected(list.error) && !list.data)
    return (
      <p className="refused" role="alert">
        {errorText(list.error)}
      </p>
    )
  return (
    <>
      {!list.data && <LoadError of={list} what={what} />}
      {list.isPending && <ListSkeleton />}
      <p className="unseen" role="status">
        {list.isSuccess && `${total ?? count} ${what}`}
      </p>
      {count === 0 ? <Empty archiveView={archiveView} /> : count !== undefined && children}
    </>
  )
}

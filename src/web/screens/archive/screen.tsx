import { isRejected } from '../../data/load-failures.ts'
import type { Me } from '../../entities/user/me.ts'
import { errorText } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { ListSkeleton } from '../../kit/list-skeleton.tsx'
import { LoadError } from '../../kit/load-error.tsx'
import { NavTabs } from '../../kit/nav-tabs.tsx'
import { t } from '../../messages/t.ts'
import './archive.css'
import { type ArchiveView, KINDS, type Kind, useArchiveView } from './archive-view.ts'
import { restoringKeys, useBoards, usePages, useTasks } from './data.ts'
import { askToDelete, DeleteForeverDialog } from './delete-forever.tsx'
import { Empty } from './empty.tsx'
import { Filters } from './filters.tsx'
import { List } from './list.tsx'
import { boardKey, pageKey, restorePages, restoreTasks, taskKey } from './restore.ts'
import { BoardRow, PageItem, TaskRow, useStep } from './rows.tsx'
import { type Selection, useSelection } from './selection.ts'

interface Props {
  me: Me
  archiveView: ArchiveView
}

/** The archive and the trash: searches, opens and restores tasks, pages and boards. */
export default function Archive({ me }: { me: Me }) {
  const archiveView = useArchiveView()
  const { kind } = archiveView
  return (
    <section className="archive fill" aria-labelledby="archive-title">
      <header>
        <h1 id="archive-title">{t('archive.archive_and_trash')}</h1>
        <Kinds archiveView={archiveView} />
      </header>
      <Filters {...{ me, archiveView }} />
      {kind === 'boards' ? (
        <Boards archiveView={archiveView} />
      ) : kind === 'pages' ? (
        <Pages {...{ me, archiveView }} />
      ) : (
        <Tasks
          key={kind}
          {...{ me, archiveView }}
          status={kind === 'trash' ? 'Deleted' : 'Archive'}
        />
      )}
    </section>
  )
}

const NAMES: Record<Kind, string> = {
  tasks: t('common.tasks'),
  trash: t('archive.trash'),
  pages: t('common.pages'),
  boards: t('common.boards'),
}

const Kinds = ({ archiveView }: { archiveView: ArchiveView }) => (
  <NavTabs
    label={t('archive.archived_items')}
    tabs={KINDS.map((kind) => ({
      ...{
        href: archiveView.pathOf(kind),
        name: NAMES[kind],
        isCurrent: kind === archiveView.kind,
      },
    }))}
  />
)

const titlesOf = ({ boards }: Me) =>
  new Map(boards.map(({ project_id, title }) => [project_id, title]))

/** The rows that are not being restored, and which of them are selected. */
function useVisible<Row>(rows: readonly Row[] | undefined, keyOf: (row: Row) => string) {
  const restoring = restoringKeys.use()
  const visible = rows?.filter((row) => !restoring.has(keyOf(row)))
  const selection = useSelection((visible ?? []).map(keyOf))
  const chosen = (visible ?? []).filter((row) => selection.selected.has(keyOf(row)))
  return { visible, selection, chosen }
}

function Tasks({ me, archiveView, status }: Props & { status: 'Archive' | 'Deleted' }) {
  const { list, rows, total } = useTasks(status, archiveView)
  const { visible, selection, chosen } = useVisible(rows, taskKey)
  const titles = titlesOf(me)
  const mayRestore = me.permissions.includes('tasks:write')
  const what = status === 'Deleted' ? t('archive.deleted_tasks') : t('archive.archived_tasks')
  useStep(visible)
  return (
    <Content {...{ archiveView, list, total, what }} count={visible?.length}>
      <SelectionBar
        selection={selection}
        onRestore={() => void restoreTasks(chosen, status)}
        {...(status === 'Deleted' && { onDelete: () => askToDelete(chosen) })}
      />
      <DeleteForeverDialog />
      <List
        {...{ rows: visible ?? [], list, what, keyOf: taskKey }}
        {...(mayRestore && { selection })}
      >
        {(task) => (
          <TaskRow
            {...{ task, mayRestore, selection, status }}
            board={titles.get(task.project_id)}
          />
        )}
      </List>
    </Content>
  )
}

function Pages({ me, archiveView }: Props) {
  const { list, rows, total } = usePages(archiveView)
  const { visible, selection, chosen } = useVisible(rows, pageKey)
  const titles = titlesOf(me)
  const what = t('archive.archived_pages')
  return (
    <Content {...{ archiveView, list, total, what }} count={visible?.length}>
      <SelectionBar selection={selection} onRestore={() => void restorePages(chosen)} />
      <List {...{ rows: visible ?? [], list, what, keyOf: pageKey, selection }}>
        {(page) => <PageItem {...{ page, selection }} board={titles.get(page.project_id)} />}
      </List>
    </Content>
  )
}

function Boards({ archiveView }: { archiveView: ArchiveView }) {
  const { list, rows, total } = useBoards(archiveView)
  const { visible } = useVisible(rows, boardKey)
  const what = t('archive.archived_boards')
  return (
    <Content {...{ archiveView, list, total, what }} count={visible?.length}>
      <List {...{ rows: visible ?? [], list, what, keyOf: boardKey }}>
        {(board) => <BoardRow board={board} />}
      </List>
    </Content>
  )
}

interface SelectionBarProps {
  selection: Selection
  onRestore(): void
  onDelete?(): void
}

/** What can be done with the selected rows. */
function SelectionBar({ selection, onRestore, onDelete }: SelectionBarProps) {
  const { selected, clear, selectAll } = selection
  if (!selected.size) return null
  return (
    <div className="selection" role="toolbar" aria-label={t('archive.selected_rows')}>
      <span aria-live="polite">{t('board.count_selected', { count: selected.size })}</span>
      <button type="button" className="button main" onClick={onRestore}>
        {t('common.restore')}
      </button>
      {onDelete && (
        <button type="button" className="button plain forever" onClick={onDelete}>
          {t('archive.delete_forever')}
        </button>
      )}
      <button type="button" className="button plain" onClick={selectAll}>
        {t('archive.select_all')}
      </button>
      <button type="button" className="button quiet only" onClick={clear}>
        <Icon name="close" label={t('board.clear_selection')} />
      </button>
    </div>
  )
}

interface ContentProps {
  archiveView: ArchiveView
  list: ReturnType<typeof useTasks | typeof usePages | typeof useBoards>['list']
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

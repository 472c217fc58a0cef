import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { queryKeyOf, useOperationMutation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { Html } from '../../entities/editor/html.tsx'
import { reloadTask, type Task } from '../../entities/task/data.ts'
import { agoText } from '../../kit/dates.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Diff } from '../../kit/diff.tsx'
import { hunksOf, linesOf } from '../../kit/diff-lines.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { useNextPage } from '../../kit/next-page.ts'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import './history.css'

type Version = Output<'tasks.versions'>['items'][number]

/** The versions of a description, newest first, loaded page by page. */
function useVersions(task_id: number, format: 'html' | 'markdown') {
  const list = useInfiniteQuery({
    queryKey: queryKeyOf('tasks.versions', { task_id, format }),
    queryFn: ({ pageParam: cursor, signal }) =>
      callOperation(
        'tasks.versions',
        { task_id, format, limit: 50, ...(cursor && { cursor }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
  })
  return { list, versions: list.data?.pages.flatMap(({ items }) => items) ?? [] }
}

const versionsText = (loadedCount: number) =>
  loadedCount ? t('task.earlier_versions_inline') : t('common.versions_inline')

/** Lists the versions of a description, shows what each changed, and restores one. */
export default function History({ task, onClose }: { task: Task; onClose(): void }) {
  const { task_id } = task
  const { list, versions } = useVersions(task_id, 'html')
  const [selectedId, setSelectedId] = useState<number>()
  const [showsDiff, setShowsDiff] = useState(false)
  const selected = versions.find((one) => one.version_id === selectedId) ?? versions[0]
  const restore = useRestore(task, versions, onClose)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('task.earlier_versions_of_ticket_number', { ticket_number: task.ticket_number })}
    >
      <div className="history">
        <ol aria-label={t('common.versions')}>
          {versions.map((version) => (
            <li key={version.version_id}>
              <VersionButton
                version={version}
                isSelected={version === selected}
                onSelect={() => setSelectedId(version.version_id)}
              />
            </li>
          ))}
          <li>
            <LoadError of={list} what={versionsText(versions.length)} />
            {list.hasNextPage && !list.isFetchNextPageError && (
              <button
                type="button"
                aria-disabled={list.isFetching}
                onClick={() => list.isFetching || void list.fetchNextPage()}
              >
                {t('task.show_earlier_versions')}
              </button>
            )}
          </li>
        </ol>
        {selected &&
          (showsDiff ? (
            <VersionDiff task_id={task_id} version={selected} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys have to scroll it
            <section aria-label={t('task.the_text')} tabIndex={0}>
              <Html html={selected.description ?? ''} format={selected.content_type} />
            </section>
          ))}
        <footer>
          <button
            type="button"
            className="button main"
            disabled={!selected || selected.current}
            onClick={() => selected && restore(selected)}
          >
            {t('task.restore_this_version')}
          </button>
          <button
            type="button"
            className="button plain"
            aria-pressed={showsDiff}
            onClick={() => setShowsDiff(!showsDiff)}
          >
            {t('task.show_changes')}
          </button>
        </footer>
      </div>
    </Dialog>
  )
}

interface VersionButtonProps {
  version: Version
  isSelected: boolean
  onSelect(): void
}

const VersionButton = ({
  version: { created_at, current, author },
  isSelected,
  onSelect,
}: VersionButtonProps) => (
  <button type="button" aria-pressed={isSelected} onClick={onSelect}>
    <b>{agoText(created_at).short}</b>
    <span className="soft">
      {current ? t('task.name_current', { name: author.name }) : author.name}
    </span>
  </button>
)

interface VersionDiffProps {
  task_id: number
  version: Version
}

/** The difference between a version and the one before it, in the stored format. */
function VersionDiff({ task_id, version }: VersionDiffProps) {
  const { list, versions } = useVersions(task_id, 'markdown')
  const index = versions.findIndex(({ version_id }) => version_id === version.version_id)
  const after = versions[index]
  const before = index < 0 ? undefined : versions[index + 1]
  const hasBothTexts = after && (before || !list.hasNextPage)
  useNextPage(list, !hasBothTexts)
  const text = after?.description ?? ''
  const hunks = useMemo(() => hunksOf(before?.description ?? '', text), [before, text])
  if (!hasBothTexts) return <LoadError of={list} what={t('task.this_version')} />
  const names = [before?.author.name ?? t('task.empty'), after.author.name] as const
  return (
    <section aria-label={t('task.comparison')}>
      <Diff {...{ hunks, names }} lines={linesOf(text)} />
    </section>
  )
}

function useRestore({ task_id }: Task, versions: readonly Version[], onClose: () => void) {
  const before = versions.find(({ current }) => current)
  const { mutate: undo } = useOperationMutation('tasks.restore', {
    onDone: () => reloadTask(task_id),
    onFailed: showError,
  })
  const { mutate } = useOperationMutation('tasks.restore', {
    onDone() {
      reloadTask(task_id)
      onClose()
      showToast(
        t('task.restored_the_version'),
        before && (() => undo({ task_id, version_id: before.version_id })),
      )
    },
    onFailed: showError,
  })
  return ({ version_id }: Version) => mutate({ task_id, version_id })
}

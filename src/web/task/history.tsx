import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { keyOf, useAct } from '../data/cache.ts'
import { ask, type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Diff } from '../parts/diff.tsx'
import { hunksOf, linesOf } from '../parts/lines.ts'
import { LoadError } from '../parts/load-error.tsx'
import { useNextPage } from '../parts/next-page.ts'
import { readAgain, type Task } from './data.ts'
import { Html } from './html.tsx'
import './history.css'

type Version = Output<'tasks.versions'>['items'][number]

/** The versions of a description with their texts, newest first, page by page. */
function useVersions(task_id: number, format: 'html' | 'markdown') {
  const list = useInfiniteQuery({
    queryKey: keyOf('tasks.versions', { task_id, format }),
    queryFn: ({ pageParam: cursor, signal }) =>
      ask('tasks.versions', { task_id, format, limit: 50, ...(cursor && { cursor }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ page }) => page.next_cursor,
  })
  return { list, versions: list.data?.pages.flatMap(({ items }) => items) ?? [] }
}

/** The texts that a description had, what each changed, and the way back to each of them. */
export default function History({ task, onClose }: { task: Task; onClose(): void }) {
  const { task_id } = task
  const { list, versions } = useVersions(task_id, 'html')
  const [chosen, setChosen] = useState<number>()
  const [looks, setLooks] = useState(false)
  const shown = versions.find((one) => one.version_id === chosen) ?? versions[0]
  const restore = useRestore(task, versions, onClose)
  return (
    <Dialog open onClose={onClose} title={`Earlier texts of ${task.ticket_number}`}>
      <div className="history">
        <ol aria-label="Versions">
          {versions.map((one) => (
            <li key={one.version_id}>
              <One one={one} isShown={one === shown} onShow={() => setChosen(one.version_id)} />
            </li>
          ))}
          <li>
            <LoadError of={list} what={versions.length ? 'earlier versions' : 'versions'} />
            {list.hasNextPage && !list.isFetchNextPageError && (
              <button
                type="button"
                aria-disabled={list.isFetching}
                onClick={() => list.isFetching || void list.fetchNextPage()}
              >
                Show earlier versions
              </button>
            )}
          </li>
        </ol>
        {shown &&
          (looks ? (
            <Changed task_id={task_id} version={shown} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keys have to scroll it
            <section aria-label="The text" tabIndex={0}>
              <Html html={shown.description ?? ''} format={shown.content_type} />
            </section>
          ))}
        <footer>
          <button
            type="button"
            className="button main"
            disabled={!shown || shown.current}
            onClick={() => shown && restore(shown)}
          >
            Bring this text back
          </button>
          <button
            type="button"
            className="button plain"
            aria-pressed={looks}
            onClick={() => setLooks(!looks)}
          >
            What it changed
          </button>
        </footer>
      </div>
    </Dialog>
  )
}

interface OneProps {
  one: Version
  isShown: boolean
  onShow(): void
}

const One = ({ one: { created_at, current, author }, isShown, onShow }: OneProps) => (
  <button type="button" aria-pressed={isShown} onClick={onShow}>
    <b>{agoWords(created_at).short}</b>
    <span className="soft">{current ? `${author.name}, now` : author.name}</span>
  </button>
)

interface ChangedProps {
  task_id: number
  version: Version
}

/** A text beside the one before it, as both were written. */
function Changed({ task_id, version }: ChangedProps) {
  const { list, versions } = useVersions(task_id, 'markdown')
  const at = versions.findIndex(({ version_id }) => version_id === version.version_id)
  const after = versions[at]
  const before = at < 0 ? undefined : versions[at + 1]
  const isWhole = after && (before || !list.hasNextPage)
  useNextPage(list, !isWhole)
  const text = after?.description ?? ''
  const hunks = useMemo(() => hunksOf(before?.description ?? '', text), [before, text])
  if (!isWhole) return <LoadError of={list} what="this version" />
  const names = [before?.author.name ?? 'Nothing', after.author.name] as const
  return (
    <section aria-label="What it changed">
      <Diff {...{ hunks, names }} lines={linesOf(text)} />
    </section>
  )
}

function useRestore({ task_id }: Task, versions: readonly Version[], onClose: () => void) {
  const before = versions.find(({ current }) => current)
  const failed = (error: Error) => complain(wordsOf(error))
  const { act: undo } = useAct('tasks.restore', { done: () => readAgain(task_id), failed })
  const { act } = useAct('tasks.restore', {
    done() {
      readAgain(task_id)
      onClose()
      say(
        'Brought the text back',
        before && (() => undo({ task_id, version_id: before.version_id })),
      )
    },
    failed,
  })
  return ({ version_id }: Version) => act({ task_id, version_id })
}

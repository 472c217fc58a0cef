import { useState } from 'react'
import { useAct, useAsk } from '../data/cache.ts'
import { type Output, wordsOf } from '../data/client.ts'
import { complain, say } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Dialog } from '../parts/dialog.tsx'
import { readAgain, type Task } from './data.ts'
import { Html } from './html.tsx'
import './history.css'

type Version = Output<'tasks.versions'>['items'][number]

/** The texts that a description had, and the way back to each of them. */
export default function History({ task, onClose }: { task: Task; onClose(): void }) {
  const { task_id } = task
  const { data, error } = useAsk('tasks.versions', { task_id, format: 'html', limit: 50 })
  const versions = data?.items ?? []
  const [chosen, setChosen] = useState<number>()
  const shown = versions.find((one) => one.version_id === chosen) ?? versions[0]
  const restore = useRestore(task, versions, onClose)
  return (
    <Dialog open onClose={onClose} title={`Earlier texts of ${task.ticket_number}`}>
      <div className="history">
        {error && <p role="alert">{wordsOf(error)}</p>}
        <ol aria-label="Versions">
          {versions.map((one) => (
            <li key={one.version_id}>
              <button
                type="button"
                aria-pressed={one === shown}
                onClick={() => setChosen(one.version_id)}
              >
                <b>{agoWords(one.created_at).short}</b>
                <span className="soft">
                  {one.current ? `${one.author.name}, now` : one.author.name}
                </span>
              </button>
            </li>
          ))}
        </ol>
        {shown && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys have to scroll it
          <section aria-label="The text" tabIndex={0}>
            <Html html={shown.description ?? ''} />
          </section>
        )}
        <footer>
          <button
            type="button"
            className="button main"
            disabled={!shown || shown.current}
            onClick={() => shown && restore(shown)}
          >
            Bring this text back
          </button>
        </footer>
      </div>
    </Dialog>
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

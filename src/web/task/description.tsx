import { useCallback, useMemo, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { agoWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { type Task, useMembers } from './data.ts'
import { useDraft } from './drafts.ts'
import { Html } from './html.tsx'
import { sourceOf, ticked, useSave } from './text.ts'
import { Writing } from './writing.tsx'

/** The description as it is read, and as it is written once somebody asks for that. */
export function Description({ task }: { task: Task }) {
  const { task_id, description } = task
  const draft = useDraft(`${task_id}:description`)
  const [base, setBase] = useState<{ text: string; version: number }>()
  const names = useMembers(task.project_id)
  const save = useSave(task)
  const edit = () => sourceOf(task_id).then(setBase, (error: Error) => complain(wordsOf(error)))
  const tick = useCallback(
    (at: number, checked: boolean) => {
      ticked(task_id, at, checked, description ?? '').then(
        (next) => next && save(next.text, next.version, []),
        (error: Error) => complain(wordsOf(error)),
      )
    },
    [task_id, description, save],
  )
  const people = useMemo(() => names.map(({ name }) => name), [names])
  if (base)
    return <Writing task={task} base={base} draft={draft} onClose={() => setBase(undefined)} />
  return (
    <section className="description" aria-label="Description">
      {draft.found && (
        <p className="notice">
          <span>
            You wrote here {agoWords(new Date(draft.found.at).toISOString()).short} and did not save
            it
          </span>
          <button type="button" className="button quiet" onClick={() => void edit()}>
            Go on writing
          </button>
          <button type="button" className="button quiet" onClick={draft.drop}>
            Throw it away
          </button>
        </p>
      )}
      {description ? (
        <>
          <Html html={description} names={people} onTick={tick} />
          <button type="button" className="button quiet edit" onClick={() => void edit()}>
            <Icon name="pencil" /> Edit
          </button>
        </>
      ) : (
        <button type="button" className="start-writing" onClick={() => void edit()}>
          Add a description: what is to be done, and when it is done
        </button>
      )}
    </section>
  )
}

import { Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { complain } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { part } from '../parts/part.ts'
import { type Task, useMembers } from './data.ts'
import { Html } from './html.tsx'
import { leaveField } from './leave.ts'
import type { Source } from './over.ts'
import { sourceOf, ticked, UNSURE, useSave } from './text.ts'
import { Unsaved } from './unsaved.tsx'
import { Writing } from './writing.tsx'

const History = part(() => import('./history.tsx'))
const refused = (error: Error) => complain(wordsOf(error))

/** The description as it is read, and as it is written once somebody asks for that. */
export function Description({ task }: { task: Task }) {
  const { task_id, description } = task
  const isDeleted = task.status === 'Deleted'
  const draft = useDraft(`${task_id}:description`)
  const [base, setBase] = useState<Source>()
  const members = useMembers(task.project_id)
  const people = useMemo(() => members.map(({ name }) => name), [members])
  const tick = useTick(task)
  const edit = () => void sourceOf(task_id).then(setBase, refused)
  const close = () => {
    leaveField('.description')
    setBase(undefined)
    draft.look()
  }
  if (base) return <Writing task={task} base={base} onClose={close} />
  return (
    <section className="description" aria-label="Description">
      {draft.found && <Unsaved at={draft.found.at} onEdit={edit} onDrop={draft.drop} />}
      {description ? (
        <>
          <Html
            html={description}
            format={task.content_type}
            names={people}
            onTick={isDeleted ? undefined : tick}
          />
          {!isDeleted && <Edits task={task} onEdit={edit} />}
        </>
      ) : isDeleted ? null : (
        <button type="button" className="start-writing" onClick={edit}>
          Add a description: what is to be done, and when it is done
        </button>
      )}
    </section>
  )
}

/** What can be done with a text that is there. */
function Edits({ task, onEdit }: { task: Task; onEdit(): void }) {
  const [looking, setLooking] = useState(false)
  return (
    <>
      <button type="button" className="button quiet edit" onClick={onEdit}>
        <Icon name="pencil" /> Edit
      </button>
      {task.description_version > 1 && (
        <button type="button" className="button quiet" onClick={() => setLooking(true)}>
          Earlier texts
        </button>
      )}
      {looking && (
        <Suspense>
          <History task={task} onClose={() => setLooking(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Ticks a box of the text where it is read; each over what the one before has made of it. */
function useTick(task: Task) {
  const { task_id, description } = task
  const save = useSave(task)
  const last = useRef(Promise.resolve())
  return useCallback(
    (at: number, checked: boolean, back: () => void) => {
      const tick = async () => {
        const next = ticked(await sourceOf(task_id), at, checked, description ?? '')
        if (await save(next.text, next.version, [])) throw new Error(UNSURE)
      }
      last.current = last.current.then(tick).catch((error: Error) => {
        back()
        refused(error)
      })
    },
    [task_id, description, save],
  )
}

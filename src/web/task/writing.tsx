import { lazy, Suspense, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { DELETED, type Task, useMembers } from './data.ts'
import { Editor } from './editor.tsx'
import { type Source, sourceOf, useSave } from './text.ts'
import { useTyped } from './typed.ts'

const Conflict = lazy(() => import('./conflict.tsx'))

interface Props {
  task: Task
  base: Source
  onClose(): void
}

/** The description while it is written; where somebody else wrote too, both texts. */
export function Writing({ task, base, onClose }: Props) {
  const { text, version, edition, busy, clash, ...does } = useWriting({ task, base, onClose })
  const members = useMembers(task.project_id)
  const isDeleted = task.status === 'Deleted'
  const isEmptied = !text.trim() && text !== base.text
  if (clash)
    return (
      <Suspense>
        <Conflict
          mine={text}
          theirs={clash.text}
          onMine={() => does.put(text, clash.version)}
          onTheirs={does.close}
          onMerge={(merged) => does.take(merged, clash.version)}
        />
      </Suspense>
    )
  return (
    <section className="description writing" aria-label="Description">
      {!busy && task.description_version > version && (
        <p className="notice">Somebody changed this meanwhile: saving shows you both texts</p>
      )}
      <Editor
        label="Description"
        hint="What is to be done, and when it is done. Markdown; @ names somebody."
        {...{ text, edition }}
        task_id={task.task_id}
        people={members}
        autoFocus
        verb="Save"
        main
        disabled={busy || isEmptied || isDeleted}
        why={isDeleted ? DELETED : isEmptied && 'A description cannot be emptied; say what changed'}
        onChange={does.type}
        onSend={() => does.put(text, version)}
        onEscape={does.leave}
        onCancel={does.close}
      />
    </section>
  )
}

function useWriting({ task, base, onClose }: Props) {
  const typed = useTyped(`${task.task_id}:description`, base.text)
  const { text, edition, draft } = typed
  const [version, setVersion] = useState(draft.found?.base ?? base.version)
  const close = () => {
    draft.drop()
    onClose()
  }
  // Kept as a draft, where something was written.
  const leave = () => {
    draft.look()
    onClose()
  }
  const { put, busy, clash, setClash } = usePut(task, base, close)
  const take = (words: string, over: number) => {
    setClash(undefined)
    setVersion(over)
    typed.put(words)
    draft.keep(words, over)
  }
  const type = (words: string) => typed.type(words, version)
  return { text, version, edition, busy, clash, close, leave, put, take, type }
}

/** Saves over a version; what is there instead, where it is another, is the clash. */
function usePut(task: Task, base: Source, done: () => void) {
  const members = useMembers(task.project_id)
  const [clash, setClash] = useState<Source>()
  const [busy, setBusy] = useState(false)
  const save = useSave(task)
  const put = (words: string, over: number) => {
    setClash(undefined)
    if (words === base.text && over === base.version) return done()
    setBusy(true)
    // What is known to stand there already need not be refused first.
    const isOld = task.description_version > over
    const saved = isOld ? sourceOf(task.task_id) : save(words, over, members)
    saved
      .then(
        (theirs) => (theirs && theirs.text !== words ? setClash(theirs) : done()),
        (error: Error) => complain(wordsOf(error)),
      )
      .finally(() => setBusy(false))
  }
  return { put, busy, clash, setClash }
}

import { lazy, Suspense, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { type Task, useMembers } from './data.ts'
import type { useDraft } from './drafts.ts'
import { Editor, SEND } from './editor.tsx'
import { type Source, sourceOf, useSave } from './text.ts'

const Conflict = lazy(() => import('./conflict.tsx'))

interface Props {
  task: Task
  base: Source
  draft: ReturnType<typeof useDraft>
  onClose(): void
}

/** The description while it is written; where somebody else wrote too, both texts. */
export function Writing({ task, base, draft, onClose }: Props) {
  const { text, version, edition, busy, clash, ...does } = useWriting({
    ...{ task, base, draft, onClose },
  })
  const members = useMembers(task.project_id)
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
      <Editor
        label="Description"
        hint="What is to be done, and when it is done. Markdown; @ names somebody."
        text={text}
        edition={edition}
        task_id={task.task_id}
        people={members}
        autoFocus
        onChange={does.type}
        onSend={() => does.put(text, version)}
        onEscape={does.leave}
      >
        <button type="button" className="button quiet" onClick={does.close}>
          Cancel
        </button>
        <button
          type="button"
          className="button main"
          disabled={busy || !text.trim()}
          onClick={() => does.put(text, version)}
        >
          Save <kbd>{SEND}</kbd>
        </button>
      </Editor>
    </section>
  )
}

function useWriting({ task, base, draft, onClose }: Props) {
  const [text, setText] = useState(draft.found?.text ?? base.text)
  const [version, setVersion] = useState(draft.found?.base ?? base.version)
  const [edition, setEdition] = useState(0)
  const close = () => {
    draft.drop()
    onClose()
  }
  const leave = () => {
    if (text === base.text) return close()
    draft.look()
    onClose()
  }
  const type = (words: string, over = version) => {
    setText(words)
    draft.keep(words, over)
  }
  const { put, busy, clash, setClash } = usePut(task, base, close)
  const take = (words: string, over: number) => {
    setClash(undefined)
    setVersion(over)
    setEdition(edition + 1)
    type(words, over)
  }
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
        (theirs) => (theirs ? setClash(theirs) : done()),
        (error: Error) => complain(wordsOf(error)),
      )
      .finally(() => setBusy(false))
  }
  return { put, busy, clash, setClash }
}

import { lazy, Suspense } from 'react'
import { DELETED, type Task, useMembers } from './data.ts'
import { Editor } from './editor.tsx'
import { type Source, useOver } from './over.ts'
import { sourceOf, useSave } from './text.ts'

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
        saves
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
  const { task_id, description_version: now } = task
  const members = useMembers(task.project_id)
  const save = useSave(task)
  const of = {
    ...{ key: `${task_id}:description`, now },
    read: () => sourceOf(task_id),
    save: (text: string, over: number) => save(text, over, members),
  }
  return useOver({ of, base, onClose })
}

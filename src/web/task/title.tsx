import { useChange } from './change.ts'
import type { Task } from './data.ts'
import { useLine } from './line.ts'
import { Unsaved } from './unsaved.tsx'

const LONGEST = 500

/** The title, edited where it stands. */
export function Title({ task }: { task: Task }) {
  const { task_id, title } = task
  const isDeleted = task.status === 'Deleted'
  const change = useChange(task)
  const { text, set, field, left } = useLine({
    ...{ key: `${task_id}:title`, before: title },
    clean: (words) => words.trim().replace(/\s+/g, ' ') || title,
    put(title, saving) {
      // What was being typed when it was deleted waits until the task is back.
      if (isDeleted) saving.lost()
      else change({ title }, { title }, saving)
    },
  })
  return (
    <>
      <div className="title" dir="auto" data-text={`${text} `}>
        <h1 className="unseen">{title}</h1>
        <textarea
          rows={1}
          dir="auto"
          aria-label="Title"
          maxLength={LONGEST}
          readOnly={isDeleted}
          {...field}
          onChange={({ target }) => set(target.value.replace(/\n/g, ' '))}
        />
      </div>
      {left && <Unsaved at={left.at} onEdit={left.take} onDrop={left.drop} />}
    </>
  )
}

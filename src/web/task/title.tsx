import { useChange } from './change.ts'
import type { Task } from './data.ts'
import { useLine } from './line.ts'

const LONGEST = 500

/** The title, edited where it stands. */
export function Title({ task }: { task: Task }) {
  const { task_id, title } = task
  const isDeleted = task.status === 'Deleted'
  const change = useChange(task)
  const { text, set, field } = useLine({
    ...{ key: `${task_id}:title`, before: title },
    clean: (words) => words.trim().replace(/\s+/g, ' ') || title,
    put(words, done, lost) {
      // What was being typed when it was deleted waits until the task is back.
      if (isDeleted) lost()
      else change({ title: words }, { title: words }, done, lost)
    },
  })
  return (
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
  )
}

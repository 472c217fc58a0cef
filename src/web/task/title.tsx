import { useChange } from './change.ts'
import type { Task } from './data.ts'
import { useLine } from './line.ts'

const LONGEST = 500

/** The title, edited where it stands. */
export function Title({ task }: { task: Task }) {
  const { task_id, title } = task
  const change = useChange(task)
  const { text, set, field } = useLine({
    ...{ key: `${task_id}:title`, before: title },
    put(words, done, lost) {
      const clean = words.trim().replace(/\s+/g, ' ')
      if (!clean || clean === title) set(title)
      else change({ title: clean }, { title: clean }, done, lost)
    },
  })
  return (
    <div className="title" data-text={`${text} `}>
      <h1 className="unseen">{title}</h1>
      <textarea
        rows={1}
        aria-label="Title"
        maxLength={LONGEST}
        {...field}
        onChange={({ target }) => set(target.value.replace(/\n/g, ' '))}
      />
    </div>
  )
}

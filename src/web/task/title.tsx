import { useRef, useState } from 'react'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { patchTask, readAgain, type Task } from './data.ts'

const LONGEST = 500

/** The title, edited where it stands. What was refused stays typed. */
export function Title({ task }: { task: Task }) {
  const { task_id, title } = task
  const [text, setText] = useState(title)
  const [known, setKnown] = useState(title)
  const field = useRef<HTMLTextAreaElement>(null)
  const { act } = useAct('tasks.update', {
    ahead: (input) => patchTask(task, { title: input.title ?? title }),
    done: () => readAgain(task_id),
    failed(error, input) {
      setKnown(title)
      setText(input.title ?? title)
      complain(wordsOf(error))
    },
  })
  if (known !== title) {
    setKnown(title)
    // Somebody else changed it; what is being typed here is not taken away for that.
    if (text === known) setText(title)
  }
  const keep = () => {
    const clean = text.trim().replace(/\s+/g, ' ')
    if (!clean) setText(title)
    else if (clean !== title) act({ task_id, title: clean })
  }
  return (
    <div className="title" data-text={`${text} `}>
      <h1 className="unseen">{title}</h1>
      <textarea
        ref={field}
        rows={1}
        aria-label="Title"
        maxLength={LONGEST}
        value={text}
        onChange={({ target }) => setText(target.value.replace(/\n/g, ' '))}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            field.current!.blur()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            setText(title)
          }
        }}
      />
    </div>
  )
}

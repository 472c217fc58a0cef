import { useEffect, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import type { Input } from '../data/client.ts'
import { dueWords } from '../parts/dates.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

/** Whether the server of this app takes `natural` and `dry_run` when a task is added. */
const UNDERSTANDS = true

interface Part {
  text: string
  means: 'due_date' | 'recurrence' | 'priority' | 'project_id' | 'labels' | 'assignees'
}
interface Understood {
  title: string
  due_date: string | null
  recurrence: string | null
  priority_name: string
  project_title: string
  parts: readonly Part[]
}

/** What is sent along, so that dates and such are taken from the title. */
export const naturally = (UNDERSTANDS ? { natural: true } : {}) as object

const PAUSE_MS = 200

/** What the server would make of a title, while it is typed. */
function useUnderstood(title: string, view_id: string | undefined): Understood | undefined {
  const [text, setText] = useState(title)
  useEffect(() => {
    const timer = setTimeout(() => setText(title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [title])
  const input = { title: text.trim(), ...naturally, dry_run: true, ...(view_id && { view_id }) }
  const enabled = UNDERSTANDS && text.trim().includes(' ')
  const { data } = useAsk('my_tasks.add', input as Input<'my_tasks.add'>, { enabled, keep: true })
  return enabled && title
    ? (data as { understood?: Understood } | undefined)?.understood
    : undefined
}

const ICONS: Record<Part['means'], IconName> = {
  due_date: 'calendar',
  recurrence: 'repeat',
  priority: 'filter',
  project_id: 'board',
  labels: 'dots',
  assignees: 'mine',
}

/** One chip for each piece of the title that means something. */
export function Chips({ title, view_id }: { title: string; view_id: string | undefined }) {
  const got = useUnderstood(title, view_id)
  return (
    <p className="chips" aria-live="polite">
      {got?.parts.map((part) => (
        <span key={`${part.means} ${part.text}`} className="chip">
          <Icon name={ICONS[part.means]} />
          {wordsFor(part, got)}
        </span>
      ))}
    </p>
  )
}

function wordsFor({ means, text }: Part, got: Understood): string {
  if (means === 'due_date' && got.due_date) return dueWords(got.due_date).short
  if (means === 'recurrence' && got.recurrence) return got.recurrence
  if (means === 'priority') return got.priority_name
  return means === 'project_id' ? got.project_title : text.replace(/^[#@]/, '')
}

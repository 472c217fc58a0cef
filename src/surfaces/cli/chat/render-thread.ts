import { cell } from '../cell.ts'
import { plain, type Screen, safe } from '../table.ts'
import { type Call, type Trouble, troubleText } from './event.ts'
import { callLine } from './print-events.ts'

type Part = { type: 'text'; text: string } | ({ type: 'call' } & Call)

interface Message {
  role: string
  author: { name: string } | null
  parts: Part[]
  state: string
  trouble: Trouble | null
  created_at: string
}

interface Thread {
  thread_id: number
  title: string
  state: string
  project: object | null
  task: object | null
  messages: Message[]
}

/** Renders a thread. Each call shows its id, which is needed to confirm or undo it. */
export function renderThread(thread: Thread, { colour }: Screen): string {
  const bold = (text: string) => (colour ? `\x1b[1m${text}\x1b[22m` : text)
  const { thread_id, title, task, project, state } = thread
  const about = cell(task ?? project)
  const head = plain(`Thread ${thread_id}: ${title}${about && ` (${about})`}, ${state}`)
  const messages = thread.messages.map(({ role, author, parts, trouble, created_at }) => {
    const authorLine = plain(`${author?.name ?? role}, ${cell(created_at)}`)
    const lines = [...parts.map(renderPart), ...(trouble ? [plain(troubleText(trouble))] : [])]
    return [bold(authorLine), ...lines].join('\n')
  })
  return [bold(head), ...messages].join('\n\n')
}

const renderPart = (part: Part): string =>
  part.type === 'text' ? safe(part.text).trim() : `${callLine(part)} (${plain(part.call_id)})`

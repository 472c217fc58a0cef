import { type MouseEvent, memo, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { useOperation } from '../../data/cache.ts'
import { closeChat } from '../../entities/chat/chat-request.ts'
import { useOpenTask } from '../../entities/task/open-task.ts'
import { isFullScreen } from './full-screen.ts'

const KEY = /\b([A-Z][A-Z0-9]{0,9})-\d{1,9}\b/g

/** A link to a task. A full-screen chat closes so that the task is visible. */
function TaskKeyLink({ ticket }: { ticket: string }) {
  const open = useOpenTask()
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    if (isFullScreen()) closeChat()
    open(ticket)
  }
  return (
    <Link href={`/t/${ticket}`} onClick={go}>
      {ticket}
    </Link>
  )
}

/** A text with task keys as links. */
export const TextWithTaskKeys = memo(function Keyed({ text }: { text: string }) {
  const boards = useOperation('user_context.get', {}).data?.boards
  const keys = useMemo(() => new Set(boards?.map(({ key }) => key)), [boards])
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(KEY)) {
    if (!keys.has(match[1]!)) continue
    parts.push(text.slice(from, match.index))
    parts.push(<TaskKeyLink key={match.index} ticket={match[0]} />)
    from = match.index + match[0].length
  }
  return [...parts, text.slice(from)]
})

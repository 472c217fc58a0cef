import { type MouseEvent, memo, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { useAsk } from '../data/cache.ts'
import { closeChat } from '../frame/asking.ts'
import { useOpenTask } from '../frame/places.ts'
import { isFullScreen } from './screen.ts'

const KEY = /\b([A-Z][A-Z0-9]{0,9})-\d{1,9}\b/g

/** A task of this app; where the chat has the screen for itself, it makes way. */
function ToTask({ ticket }: { ticket: string }) {
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

/** Words in which keys of tasks are links. */
export const Keyed = memo(function Keyed({ text }: { text: string }) {
  const boards = useAsk('user_context.get', {}).data?.boards
  const keys = useMemo(() => new Set(boards?.map(({ key }) => key)), [boards])
  const parts: ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(KEY)) {
    if (!keys.has(match[1]!)) continue
    parts.push(text.slice(from, match.index))
    parts.push(<ToTask key={match.index} ticket={match[0]} />)
    from = match.index + match[0].length
  }
  return [...parts, text.slice(from)]
})

import { useEffect, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { countInTab } from './title.ts'
import './unread.css'

/** After what the screen itself asks for. */
const LATER_MS = 500

/** How much of what is important was not read yet, beside the inbox and in the name of the tab. */
export function Unread() {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useAsk('inbox.summary', {}, { enabled: isLater })
  const many = data?.important ?? 0
  useEffect(() => countInTab(many), [many])
  if (!many) return null
  return (
    <span className="unread">
      {many}
      <span className="unseen"> unread</span>
    </span>
  )
}

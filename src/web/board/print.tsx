import { Suspense, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Guard } from '../frame/fault.tsx'
import { part } from '../parts/part.ts'
import type { Shared } from './card.tsx'
import type { Board, Column } from './data.ts'
import type { Look } from './look.ts'

export const Sheet = part(() => import('./print/sheet.tsx'))

export interface PrintedProps extends Shared {
  board: Board
  shown: readonly Column[]
  look: Look
}

/** Without it the paper has what the screen has. */
const nothing = () => {}

/** What is fetched by then is on the paper; on the screen only what can be seen is drawn. */
export const print = () => void Sheet.ahead().then(() => window.print())

/** The board as it goes on paper, whole, as long as somebody prints. */
export function Printed(props: PrintedProps) {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const media = matchMedia('print')
    const turn = ({ type }: Event) => flushSync(() => setPrinting(type !== 'afterprint'))
    const turned = () => setPrinting(media.matches)
    addEventListener('beforeprint', turn)
    addEventListener('afterprint', turn)
    media.addEventListener('change', turned)
    return () => {
      removeEventListener('beforeprint', turn)
      removeEventListener('afterprint', turn)
      media.removeEventListener('change', turned)
    }
  }, [])
  if (!isPrinting) return null
  return (
    <Guard place="print" onFault={nothing}>
      <Suspense>
        <Sheet {...props} />
      </Suspense>
    </Guard>
  )
}

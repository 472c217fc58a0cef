import { Suspense, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import type { PrintProps } from './print/types.ts'

export const Sheet = lazyComponent(() => import('./print/sheet.tsx'))

/** If the print view fails, the browser prints the screen. */
const ignoreError = () => {}

/** Loads the print view first: the screen draws only the visible cards. */
export const print = () => void Sheet.preload().then(() => window.print())

/** Draws the whole board while the browser prints. */
export function PrintView(props: PrintProps) {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const media = matchMedia('print')
    const onPrintEvent = ({ type }: Event) => flushSync(() => setPrinting(type !== 'afterprint'))
    const onMediaChange = () => setPrinting(media.matches)
    addEventListener('beforeprint', onPrintEvent)
    addEventListener('afterprint', onPrintEvent)
    media.addEventListener('change', onMediaChange)
    return () => {
      removeEventListener('beforeprint', onPrintEvent)
      removeEventListener('afterprint', onPrintEvent)
      media.removeEventListener('change', onMediaChange)
    }
  }, [])
  if (!isPrinting) return null
  return (
    <ErrorBoundary resetKey="print" onError={ignoreError}>
      <Suspense>
        <Sheet {...props} />
      </Suspense>
    </ErrorBoundary>
  )
}

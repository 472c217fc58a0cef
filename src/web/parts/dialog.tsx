import { Suspense } from 'react'
import type { Asked } from './dialog-popup.tsx'
import { part } from './part.ts'

export const DialogPopup = part(() => import('./dialog-popup.tsx'))

/** What stands above the page until it is done with; its code is fetched apart from the screen's. */
export const Dialog = (props: Asked) =>
  props.open && (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  )

import { Suspense } from 'react'
import type { DialogProps } from './dialog-popup.tsx'
import { lazyComponent } from './lazy-component.ts'

export const DialogPopup = lazyComponent(() => import('./dialog-popup.tsx'))

/** A modal dialog whose code is loaded separately from that of the screen. */
export const Dialog = (props: DialogProps) =>
  props.open && (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  )

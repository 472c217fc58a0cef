import type { ReactElement, ReactNode } from 'react'
import { Opener } from './opener.tsx'
import { part } from './part.ts'

interface Props {
  label: string
  className: string
  align?: 'start' | 'end'
  trigger: ReactElement
  open: boolean
  onOpen(open: boolean): void
  children: ReactNode
}

const PopoverPopup = part(() => import('./popover-popup.tsx'))

/** A button, and controls that float beside it. */
export const Popover = ({ trigger, open, onOpen, ...inside }: Props) => (
  <Opener what="dialog" ahead={PopoverPopup.ahead} {...{ trigger, open, onOpen }}>
    {(opened) => <PopoverPopup {...inside} {...opened} />}
  </Opener>
)

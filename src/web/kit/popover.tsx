import type { ReactElement, ReactNode } from 'react'
import { lazyComponent } from './lazy-component.ts'
import { Opener } from './opener.tsx'

interface Props {
  label: string
  className: string
  align?: 'start' | 'end'
  trigger: ReactElement
  open: boolean
  onOpen(open: boolean): void
  children: ReactNode
}

const PopoverPopup = lazyComponent(() => import('./popover-popup.tsx'))

/** A button that opens a popup with controls. */
export const Popover = ({ trigger, open, onOpen, ...inside }: Props) => (
  <Opener popup="dialog" preload={PopoverPopup.preload} {...{ trigger, open, onOpen }}>
    {(opened) => <PopoverPopup {...inside} {...opened} />}
  </Opener>
)

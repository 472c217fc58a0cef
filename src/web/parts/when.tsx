import type { DatePreset } from './date-presets.ts'
import { lazyComponent } from './lazy-component.ts'
import { Opener, type OpenerProps } from './opener.tsx'

export interface WhenProps {
  /** The accessible name of the field. */
  label: string
  /** A day, a moment, or null. */
  value: string | null
  onPick(value: string | null): void
  /** Whether the value may have a time of day. */
  allowsTime?: boolean
  /** The time of day for a chosen day, if only a moment in the future is valid. */
  defaultTime?: string
  /** The presets to offer instead of the usual days. */
  usual?: readonly DatePreset[]
}

export const WhenPopup = lazyComponent(() => import('./when-popup.tsx'))

/** A date picker: type a date, choose a preset, or use the calendar. */
export const PickWhen = ({
  trigger,
  open,
  onOpen,
  anchor,
  ...whenProps
}: WhenProps & OpenerProps) => (
  <Opener
    popup="dialog"
    preload={WhenPopup.preload}
    {...(trigger && { trigger })}
    {...(open !== undefined && { open })}
    {...(onOpen && { onOpen })}
    {...(anchor && { anchor })}
  >
    {(opened) => <WhenPopup {...whenProps} {...opened} />}
  </Opener>
)

import type { ReactElement, ReactNode } from 'react'
import './rows.css'

interface Props {
  name: string
  /** Asked for, and not filled in yet. */
  isEmpty?: boolean
  children: ReactNode
}

/** A property with its name; what opens it is named by both. */
export const Row = ({ name, isEmpty, children }: Props) => (
  <div className="row" data-empty={isEmpty || undefined}>
    <dt title={name}>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface ValueProps {
  name: string
  /** What it is now, in words. */
  value: string
  /** How that is shown, where it is more than words. */
  children?: ReactNode
  isSet?: boolean
  /** The key that opens it. */
  hint?: string
}

/** What opens a list or a calendar. */
export const opener = ({ name, value, children, isSet = true, hint }: ValueProps): ReactElement => (
  <button
    type="button"
    className={`value${isSet ? '' : ' unset'}`}
    aria-label={`${name}: ${value}`}
    title={hint && `${name} (${hint})`}
  >
    {children ?? value}
  </button>
)

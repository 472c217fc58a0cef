import type { ReactElement, ReactNode } from 'react'
import './rows.css'

interface Props {
  name: string
  /** The row was added from the menu and has no value yet. */
  isEmpty?: boolean
  children: ReactNode
}

/** A property of the task: its name and its value. */
export const Row = ({ name, isEmpty, children }: Props) => (
  <div className="row" data-empty={isEmpty || undefined}>
    <dt title={name}>{name}</dt>
    <dd>{children}</dd>
  </div>
)

interface ValueProps {
  name: string
  /** The current value as text. */
  value: string
  /** How the value is shown, if not as plain text. */
  children?: ReactNode
  isSet?: boolean
  /** The shortcut that opens it. */
  hint?: string
}

/** The button that opens a picker. */
export const pickerButton = ({
  name,
  value,
  children,
  isSet = true,
  hint,
}: ValueProps): ReactElement => (
  <button
    type="button"
    className={`value${isSet ? '' : ' unset'}`}
    aria-label={`${name}: ${value}`}
    title={hint && `${name} (${hint})`}
  >
    {children ?? value}
  </button>
)

import { Combobox } from '@base-ui/react/combobox'
import type { ReactElement, ReactNode } from 'react'
import { Icon } from './icon.tsx'

export interface Choice<V> {
  value: V
  name: string
  mark?: ReactNode
  /** A key that chooses it while the list is open. */
  hint?: string
}

interface Shared<V> {
  /** What is being chosen: the name of the field and of the list. */
  label: string
  choices: readonly Choice<V>[]
  /** What opens it; left out where something else does. */
  trigger?: ReactElement
  open?: boolean
  onOpen?(open: boolean): void
  /** Beside this instead of the trigger. */
  anchor?: Element | null
  empty?: string
}

interface One<V> extends Shared<V> {
  value: V | null
  onPick(value: V): void
}

/** A list that opens, is searched by typing, and closes with the choice. */
export function PickOne<V>({ value, onPick, choices, ...rest }: One<V>) {
  const chosen = choices.find((one) => one.value === value) ?? null
  return (
    <Combobox.Root
      items={choices}
      value={chosen}
      onValueChange={(next: Choice<V> | null) => next && onPick(next.value)}
      itemToStringLabel={nameOf<V>}
      isItemEqualToValue={same<V>}
      open={rest.open}
      onOpenChange={rest.onOpen}
      {...MARKED}
    >
      <Inside {...rest} />
    </Combobox.Root>
  )
}

interface Many<V> extends Shared<V> {
  values: readonly V[]
  onPick(values: V[]): void
}

/** As `PickOne`, for several; it stays open until it is closed. */
export function PickMany<V>({ values, onPick, choices, ...rest }: Many<V>) {
  const chosen = choices.filter((one) => values.includes(one.value))
  return (
    <Combobox.Root
      items={choices}
      multiple
      value={chosen}
      onValueChange={(next: Choice<V>[]) => onPick(next.map((one) => one.value))}
      itemToStringLabel={nameOf<V>}
      isItemEqualToValue={same<V>}
      open={rest.open}
      onOpenChange={rest.onOpen}
      {...MARKED}
    >
      <Inside {...rest} />
    </Combobox.Root>
  )
}

/** A row is marked from the beginning, so that Enter alone takes it; the types leave that out. */
const MARKED = { autoHighlight: 'always' } as unknown as { autoHighlight: true }

const nameOf = <V,>({ name }: Choice<V>) => name
const same = <V,>(a: Choice<V>, b: Choice<V>) => a.value === b.value

function Inside<V>({ label, trigger, anchor, empty }: Omit<Shared<V>, 'choices'>) {
  return (
    <>
      {trigger && <Combobox.Trigger render={trigger} />}
      <Combobox.Portal>
        <Combobox.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Combobox.Popup className="popup" aria-label={label}>
            <Combobox.Input className="search" placeholder={label} aria-label={label} />
            <Combobox.Empty className="nothing">{empty ?? 'Nothing has this name'}</Combobox.Empty>
            <Combobox.List>
              {(choice: Choice<V>) => (
                <Combobox.Item key={choice.name} value={choice} className="item">
                  {choice.mark}
                  <span className="name" dir="auto">
                    {choice.name}
                  </span>
                  <span className="end">
                    <Combobox.ItemIndicator>
                      <Icon name="check" />
                    </Combobox.ItemIndicator>
                    {choice.hint && <kbd>{choice.hint}</kbd>}
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </>
  )
}

import { Combobox } from '@base-ui/react/combobox'
import type { ReactNode } from 'react'
import { t } from '../messages/t.ts'
import { Icon } from './icon.tsx'
import type { Loading } from './load-error.tsx'
import { LoadError } from './load-error.tsx'
import type { PopupProps } from './opener.tsx'

export interface Choice<V> {
  value: V
  name: string
  mark?: ReactNode
  /** The key that picks it while the list is open. */
  hint?: string
}

export interface PickBase<V> {
  /** The accessible name of the field and the list. */
  label: string
  choices: readonly Choice<V>[]
  empty?: string
  /** The query that fills the list, and its name for an error message, which the list shows. */
  source?: { of: Loading; what: string }
  /** The most options that a long list shows at once. */
  limit?: number
}

export interface SinglePick<V> extends PickBase<V> {
  value: V | null
  onPick(value: V): void
}

export interface MultiPick<V> extends PickBase<V> {
  values: readonly V[]
  onPick(values: V[]): void
}

type AnyChoice = Choice<unknown>

/** The list of a picker, for one value or several. */
export default function PickPopup(props: (SinglePick<unknown> | MultiPick<unknown>) & PopupProps) {
  const { choices, limit, onOpenChange } = props
  const shared = {
    ...{ items: choices, open: true, onOpenChange },
    ...{ itemToStringLabel: nameOf, isItemEqualToValue: same, ...ALWAYS_HIGHLIGHT },
    ...(limit && { limit }),
  }
  if ('values' in props)
    return (
      <Combobox.Root
        {...shared}
        multiple
        value={choices.filter((choice) => props.values.includes(choice.value))}
        onValueChange={(next: AnyChoice[]) => props.onPick(next.map((choice) => choice.value))}
      >
        <PickList {...props} />
      </Combobox.Root>
    )
  return (
    <Combobox.Root
      {...shared}
      value={choices.find((choice) => choice.value === props.value) ?? null}
      onValueChange={(next: AnyChoice | null) => {
        if (next) props.onPick(next.value)
      }}
    >
      <PickList {...props} />
    </Combobox.Root>
  )
}

/** Highlights a row from the start, so that Enter alone picks it. The types lack this value. */
const ALWAYS_HIGHLIGHT = { autoHighlight: 'always' } as unknown as { autoHighlight: true }

const nameOf = ({ name }: AnyChoice) => name
const same = (a: AnyChoice, b: AnyChoice) => a.value === b.value

type PickListProps = Pick<
  SinglePick<unknown> & PopupProps,
  'id' | 'label' | 'empty' | 'source' | 'anchor' | 'finalFocus'
>

const PickList = ({ id, label, anchor, empty, source, finalFocus }: PickListProps) => (
  <Combobox.Portal>
    <Combobox.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
      <Combobox.Popup
        id={id}
        className="popup"
        aria-label={label}
        {...(finalFocus && { finalFocus })}
      >
        <Combobox.Input className="search" placeholder={label} aria-label={label} />
        {source && <LoadError {...source} />}
        <Combobox.Empty className="nothing">
          {(!source || source.of.data !== undefined) && (empty ?? t('kit.no_matches'))}
        </Combobox.Empty>
        <Combobox.List>
          {(choice: AnyChoice) => (
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
)

import { Combobox } from '@base-ui/react/combobox'
import { type ReactNode, useState } from 'react'
import { t } from '../messages/t.ts'
import { Icon } from './icon.tsx'
import type { Loading } from './load-error.tsx'
import { LoadError } from './load-error.tsx'
import type { PopupProps } from './opener.tsx'
import './pick.css'

export interface Choice<V> {
  value: V
  name: string
  mark?: ReactNode
  /** The key that picks it while the list is open. */
  hint?: string
  /** How many items have the value. */
  count?: number | undefined
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
  /** The text with which the list opens, as if it had been typed. */
  query?: string
  /** Called with what is typed, if the caller finds the choices; otherwise the list filters them. */
  onSearch?(text: string): void
  /** Offers to create what somebody typed, if no option has that name. */
  create?: Creation | undefined
}

export interface Creation {
  /** The text of the option that creates it. */
  label(typed: string): string
  maxLength: number
  /** The colours to choose from, each with its name. */
  colors?: readonly (readonly [name: string, color: string])[]
  initialColor?: string
  run(typed: string, color: string): void
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
  const { limit, onSearch, onOpenChange } = props
  const creation = useCreation(props)
  const choices = creation.choice ? [...props.choices, creation.choice] : props.choices
  const shared = {
    ...{ items: choices, open: true, onOpenChange },
    inputValue: creation.typed,
    onInputValueChange(text: string) {
      creation.setTyped(text)
      onSearch?.(text)
    },
    ...{ itemToStringLabel: nameOf, isItemEqualToValue: same, ...ALWAYS_HIGHLIGHT },
    ...(limit && { limit }),
    ...(onSearch && { filter: null }),
  }
  const list = <PickList {...props} creation={creation} />
  if ('values' in props)
    return (
      <Combobox.Root
        {...shared}
        multiple
        value={choices.filter((choice) => props.values.includes(choice.value))}
        onValueChange={(next: AnyChoice[]) => {
          if (next.some(isCreation)) creation.run()
          else props.onPick(next.map((choice) => choice.value))
        }}
      >
        {list}
      </Combobox.Root>
    )
  return (
    <Combobox.Root
      {...shared}
      value={choices.find((choice) => choice.value === props.value) ?? null}
      onValueChange={(next: AnyChoice | null) => {
        if (next && isCreation(next)) creation.run()
        else if (next) props.onPick(next.value)
      }}
    >
      {list}
    </Combobox.Root>
  )
}

/** The value of the option that creates another one. */
const CREATE = Symbol('create')
const isCreation = ({ value }: AnyChoice) => value === CREATE

/** What somebody types into the picker, and the option that creates it. */
function useCreation({ create, choices, query = '' }: PickBase<unknown>) {
  const [typed, setTyped] = useState(query)
  const [color, setColor] = useState(create?.initialColor ?? '')
  const name = typed.trim()
  const isKnown = choices.some((choice) => foldCase(choice.name) === foldCase(name))
  const isOffered = create && name && !isKnown && name.length <= create.maxLength
  const choice = isOffered && {
    // The list shows only options that contain what was typed, spaces included.
    ...{ value: CREATE, name: create.label(typed) },
    mark: create.colors ? (
      <span className="dot" style={{ background: color }} />
    ) : (
      <Icon name="plus" />
    ),
  }
  return {
    ...{ typed, setTyped, color, setColor },
    ...(choice && { choice }),
    run() {
      create?.run(name, color)
      setTyped('')
    },
  }
}
type CreationState = ReturnType<typeof useCreation>

const foldCase = (text: string) => text.trim().toLocaleLowerCase()

/** Highlights a row from the start, so that Enter alone picks it. The types lack this value. */
const ALWAYS_HIGHLIGHT = { autoHighlight: 'always' } as unknown as { autoHighlight: true }

const nameOf = ({ name }: AnyChoice) => name
const same = (a: AnyChoice, b: AnyChoice) => a.value === b.value

type PickListProps = Pick<
  SinglePick<unknown> & PopupProps,
  'id' | 'label' | 'empty' | 'source' | 'anchor' | 'finalFocus' | 'create'
> & { creation: CreationState }

const PickList = ({ id, label, anchor, empty, source, ...rest }: PickListProps) => (
  <Combobox.Portal>
    <Combobox.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
      <Combobox.Popup
        id={id}
        className="popup"
        aria-label={label}
        {...(rest.finalFocus && { finalFocus: rest.finalFocus })}
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
                {choice.count !== undefined && <span className="minor">{choice.count}</span>}
                {choice.hint && <kbd>{choice.hint}</kbd>}
              </span>
            </Combobox.Item>
          )}
        </Combobox.List>
        {rest.creation.choice && rest.create?.colors && (
          <Swatches colors={rest.create.colors} {...rest.creation} />
        )}
      </Combobox.Popup>
    </Combobox.Positioner>
  </Combobox.Portal>
)

/** The colours for what is created. */
const Swatches = ({
  colors,
  color,
  setColor,
}: Pick<CreationState, 'color' | 'setColor'> & { colors: NonNullable<Creation['colors']> }) => (
  <fieldset className="swatches" aria-label={t('kit.color')}>
    {colors.map(([name, one]) => (
      <button
        key={one}
        type="button"
        aria-label={name}
        aria-pressed={one === color}
        title={name}
        style={{ background: one }}
        // The focus stays in the field, where Enter creates.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setColor(one)}
      />
    ))}
  </fieldset>
)

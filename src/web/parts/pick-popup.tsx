import { Combobox } from '@base-ui/react/combobox'
import { Icon } from './icon.tsx'
import { LoadError } from './load-error.tsx'
import type { Opened } from './opener.tsx'
import type { Choice, Many, One } from './pick.tsx'

type Any = Choice<unknown>

/** The list to choose from: one of them, or several. */
export default function PickPopup(props: (One<unknown> | Many<unknown>) & Opened) {
  const { choices, most, onOpenChange } = props
  const shared = {
    ...{ items: choices, open: true, onOpenChange },
    ...{ itemToStringLabel: nameOf, isItemEqualToValue: same, ...MARKED },
    ...(most && { limit: most }),
  }
  if ('values' in props)
    return (
      <Combobox.Root
        {...shared}
        multiple
        value={choices.filter((one) => props.values.includes(one.value))}
        onValueChange={(next: Any[]) => props.onPick(next.map((one) => one.value))}
      >
        <Inside {...props} />
      </Combobox.Root>
    )
  return (
    <Combobox.Root
      {...shared}
      value={choices.find((one) => one.value === props.value) ?? null}
      onValueChange={(next: Any | null) => {
        if (next) props.onPick(next.value)
      }}
    >
      <Inside {...props} />
    </Combobox.Root>
  )
}

/** A row is marked from the beginning, so that Enter alone takes it; the types leave that out. */
const MARKED = { autoHighlight: 'always' } as unknown as { autoHighlight: true }

const nameOf = ({ name }: Any) => name
const same = (a: Any, b: Any) => a.value === b.value

type InsideProps = Pick<
  One<unknown> & Opened,
  'id' | 'label' | 'empty' | 'source' | 'anchor' | 'finalFocus'
>

const Inside = ({ id, label, anchor, empty, source, finalFocus }: InsideProps) => (
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
          {(!source || source.of.data !== undefined) && (empty ?? 'Nothing has this name')}
        </Combobox.Empty>
        <Combobox.List>
          {(choice: Any) => (
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

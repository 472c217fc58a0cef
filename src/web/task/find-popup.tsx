import { Combobox } from '@base-ui/react/combobox'
import { useDeferredValue, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { LoadError } from '../parts/load-error.tsx'
import type { Opened } from '../parts/opener.tsx'
import type { Finding, Found } from './find.tsx'

/** A field for a key or words, and the tasks that have them. */
export default function FindPopup({
  label,
  without,
  project_id,
  onPick,
  ...opened
}: Finding & Opened) {
  const { id, anchor, finalFocus, onOpenChange } = opened
  const [text, setText] = useState('')
  const query = useDeferredValue(text.trim())
  const list = useAsk(
    'search.tasks',
    { query: query || 'is:open', limit: 12, ...(project_id && { project_id }) },
    { keep: true },
  )
  const found = (list.data?.items ?? []).filter(({ task_id }) => !without.includes(task_id))
  return (
    <Combobox.Root
      items={found}
      filter={null}
      value={null}
      open
      onOpenChange={onOpenChange}
      inputValue={text}
      onInputValueChange={setText}
      onValueChange={(one: Found | null) => one && onPick(one)}
      itemToStringLabel={({ title }: Found) => title}
      autoHighlight
    >
      <Combobox.Portal>
        <Combobox.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Combobox.Popup
            id={id}
            className="popup find"
            aria-label={label}
            {...(finalFocus && { finalFocus })}
          >
            <Combobox.Input className="search" placeholder={label} aria-label={label} />
            <LoadError of={list} what="tasks" />
            <Combobox.Empty className="nothing">
              {list.data && (query ? 'No task has these words' : 'Type a key or words')}
            </Combobox.Empty>
            <Combobox.List>
              {(one: Found) => (
                <Combobox.Item key={one.task_id} value={one} className="item">
                  <span className="key">{one.ticket_number}</span>
                  <span className="name">{one.title}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}

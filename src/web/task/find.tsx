import { Combobox } from '@base-ui/react/combobox'
import { type ReactElement, useDeferredValue, useState } from 'react'
import { useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'

export type Found = Output<'search.tasks'>['items'][number]

interface Props {
  label: string
  trigger: ReactElement
  /** Tasks that cannot be meant. */
  without: readonly number[]
  /** Only those of this board. */
  project_id?: number
  onPick(task: Found): void
}

/** Looks for a task by its key or its words. */
export function FindTask({ label, trigger, without, project_id, onPick }: Props) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const query = useDeferredValue(text.trim())
  const { data } = useAsk(
    'search.tasks',
    { query: query || 'is:open', limit: 12, ...(project_id && { project_id }) },
    { enabled: open, keep: true },
  )
  const found = (data?.items ?? []).filter(({ task_id }) => !without.includes(task_id))
  return (
    <Combobox.Root
      items={found}
      filter={null}
      value={null}
      open={open}
      onOpenChange={setOpen}
      inputValue={text}
      onInputValueChange={setText}
      onValueChange={(one: Found | null) => one && onPick(one)}
      itemToStringLabel={({ title }: Found) => title}
      autoHighlight
    >
      <Combobox.Trigger render={trigger} />
      <Combobox.Portal>
        <Combobox.Positioner className="above" sideOffset={4} align="start">
          <Combobox.Popup className="popup find" aria-label={label}>
            <Combobox.Input className="search" placeholder={label} aria-label={label} />
            <Combobox.Empty className="nothing">
              {query ? 'No task has these words' : 'Type a key or words'}
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

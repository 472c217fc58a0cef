import { Suspense, useMemo, useRef, useState } from 'react'
import { hintOf, IN_LIST } from '../frame/keys.ts'
import { type Offer, useOffers } from '../frame/offers.ts'
import { Icon } from '../parts/icon.tsx'
import { part } from '../parts/part.ts'
import { Popover } from '../parts/popover.tsx'
import type { Look } from './look.ts'
import { useKeep } from './views.ts'

const Panel = part(() => import('./panel.tsx'))
const ViewDialog = part(() => import('./view-dialog.tsx'))

interface Props {
  look: Look
  asleep: number
  open: boolean
  onOpen(open: boolean): void
}

/** How the list is shown, and what is kept of that. */
export function Show({ look, asleep, open, onOpen }: Props) {
  const [saving, setSaving] = useState(false)
  const { isChanged, view } = look
  const keep = useKeep(look)
  useOffers(useLooks(look, () => setSaving(true)))
  return (
    <div className="end">
      {isChanged && view && (
        <button type="button" className="button quiet" onClick={() => keep(view)}>
          Keep in {view.title}
        </button>
      )}
      <Popover
        {...{ label: 'How My Tasks are shown', className: 'my-panel', align: 'end', open, onOpen }}
        trigger={
          <button type="button" className="button plain" title={`View: ${hintOf(IN_LIST.filter)}`}>
            <Icon name="filter" />
            View
            {isChanged && <span className="dot changed" role="img" aria-label="changed" />}
          </button>
        }
      >
        <Suspense>
          <Panel
            {...{ look, asleep }}
            onSave={() => {
              onOpen(false)
              setSaving(true)
            }}
          />
        </Suspense>
      </Popover>
      {saving && (
        <Suspense>
          <ViewDialog view={undefined} look={look} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** Other ways to look, for the palette. */
function useLooks(look: Look, save: () => void): readonly Offer[] {
  const { grouping, withDone } = look.wanted
  const { isAsleep } = look
  const latest = useRef({ look, save })
  latest.current = { look, save }
  return useMemo((): Offer[] => {
    const now = () => latest.current.look
    const other = grouping === 'due' ? 'board' : 'due'
    return [
      {
        ...{ name: `Group by ${other === 'due' ? 'due date' : other}`, icon: 'list' },
        run: () => now().put({ grouping: other }),
      },
      {
        ...{ name: withDone ? 'Hide completed tasks' : 'Show completed tasks', icon: 'done' },
        run: () => now().put({ withDone: !withDone }),
      },
      {
        ...{ name: isAsleep ? 'Hide snoozed tasks' : 'Show snoozed tasks', icon: 'moon' },
        run: () => now().setAsleep(!isAsleep),
      },
      { name: 'Save as a view…', icon: 'plus', run: () => latest.current.save() },
    ]
  }, [grouping, withDone, isAsleep])
}

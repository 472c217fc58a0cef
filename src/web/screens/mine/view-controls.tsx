import { Suspense, useMemo, useRef, useState } from 'react'
import { type Command, useCommands } from '../../entities/command/commands.ts'
import { Icon } from '../../kit/icon.tsx'
import { lazyComponent } from '../../kit/lazy-component.ts'
import { Popover } from '../../kit/popover.tsx'
import { hintOf } from '../../kit/shortcuts.ts'
import { IN_LIST } from './shortcuts.ts'
import type { ViewState } from './view-state.ts'
import { useSaveToView } from './views.ts'

const Panel = lazyComponent(() => import('./panel.tsx'))
const ViewDialog = lazyComponent(() => import('./view-dialog.tsx'))

interface Props {
  viewState: ViewState
  snoozedCount: number
  open: boolean
  onOpen(open: boolean): void
}

/** The view options, and saving them to a view. */
export function ViewControls({ viewState, snoozedCount, open, onOpen }: Props) {
  const [isSaving, setSaving] = useState(false)
  const { isChanged, view } = viewState
  const saveToView = useSaveToView(viewState)
  useCommands(useViewOffers(viewState, () => setSaving(true)))
  return (
    <div className="end">
      {isChanged && view && (
        <button type="button" className="button quiet" onClick={() => saveToView(view)}>
          Save changes to {view.title}
        </button>
      )}
      <Popover
        {...{ label: 'View options', className: 'my-panel', align: 'end', open, onOpen }}
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
            {...{ viewState, snoozedCount }}
            onSave={() => {
              onOpen(false)
              setSaving(true)
            }}
          />
        </Suspense>
      </Popover>
      {isSaving && (
        <Suspense>
          <ViewDialog view={undefined} viewState={viewState} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** View commands for the command palette. */
function useViewOffers(viewState: ViewState, save: () => void): readonly Command[] {
  const { grouping, withDone } = viewState.options
  const { showsSnoozed } = viewState
  const latest = useRef({ viewState, save })
  latest.current = { viewState, save }
  return useMemo((): Command[] => {
    const getState = () => latest.current.viewState
    const other = grouping === 'due' ? 'board' : 'due'
    return [
      {
        ...{ name: `Group by ${other === 'due' ? 'due date' : other}`, icon: 'list' },
        run: () => getState().put({ grouping: other }),
      },
      {
        ...{ name: withDone ? 'Hide completed tasks' : 'Show completed tasks', icon: 'done' },
        run: () => getState().put({ withDone: !withDone }),
      },
      {
        ...{ name: showsSnoozed ? 'Hide snoozed tasks' : 'Show snoozed tasks', icon: 'moon' },
        run: () => getState().setShowsSnoozed(!showsSnoozed),
      },
      { name: 'Save as a view…', icon: 'plus', run: () => latest.current.save() },
    ]
  }, [grouping, withDone, showsSnoozed])
}
